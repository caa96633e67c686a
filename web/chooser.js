import { byId } from './dom.js';
import { clearError, showError } from './error_view.js';
import { count } from './format_numbers.js';

/** A plugin is some kilobytes; what is far larger was chosen by mistake. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * The ways to choose a plugin: the examples, the file picker and the drop zone. Whatever way it came, it ends as a file
 * in memory, so that what is inspected is what is loaded.
 * @param {URL} examples the folder of the examples
 * @param {(file: File) => Promise<void>} choose what to do with the file; errors that it throws are shown here
 */
export function startChooser(examples, choose) {
  const place = byId('choose-error', HTMLElement);
  const picker = byId('file', HTMLInputElement);
  let latest = 0;

  /** @param {() => Promise<File>} open */
  const take = async (open) => {
    const turn = ++latest;
    clearError(place);
    try {
      const file = await open();
      // Something else may have been chosen meanwhile.
      if (turn === latest) await choose(file);
    } catch (error) {
      if (turn === latest) showError(place, error);
    }
  };

  for (const button of document.querySelectorAll('button')) {
    const { example } = button.dataset;
    if (example === undefined) continue;
    button.disabled = false;
    button.addEventListener('click', () => take(() => fetchExample(new URL(`${example}.wasm`, examples))));
  }
  picker.disabled = false;
  picker.addEventListener('change', () => {
    const file = picker.files?.[0];
    if (file) take(() => inMemory(file));
    // So that the same file, put right, can be chosen again.
    picker.value = '';
  });
  acceptDrops((files) => take(async () => inMemory(onlyFile(files))));
}

/** @param {URL} address */
async function fetchExample(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname}: the server answered ${response.status}`);
  return new File([await response.arrayBuffer()], address.pathname.split('/').at(-1) ?? '');
}

/** @param {File} file */
async function inMemory(file) {
  if (file.size > MAX_BYTES) {
    const limit = count(MAX_BYTES, 'byte');
    throw new Error(`${file.name} has ${count(file.size, 'byte')}; this page takes plugins of up to ${limit}`);
  }
  return new File([await file.arrayBuffer()], file.name);
}

/** @param {readonly File[]} files */
function onlyFile(files) {
  const [file] = files;
  if (!file) throw new Error('what was dropped is not a file');
  if (files.length > 1) throw new Error(`${files.length} files were dropped; this page takes one at a time`);
  return file;
}

/** @param {(files: readonly File[]) => void} onDrop */
function acceptDrops(onDrop) {
  const zone = byId('drop-zone', HTMLElement);
  // All over the page, where a file that misses the zone would otherwise take the place of the page.
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('dragging');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) zone.classList.remove('dragging');
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    zone.classList.remove('dragging');
    onDrop([...(event.dataTransfer?.files ?? [])]);
  });
}
