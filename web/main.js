import { startChooser } from './chooser.js';
import { byId } from './dom.js';
import { InspectionView } from './inspection_view.js';
import { LoadedView } from './loaded_view.js';
import { startMemoryView } from './memory_view.js';
import { RunView } from './run_view.js';
import { Session } from './session.js';

const status = byId('engine-status', HTMLElement);

try {
  // Not a static import: when the engine's files are missing, the page can then say so.
  const { EXAMPLES, init } = await import('./minitensor.js');
  const mt = await init();
  const session = new Session(mt);
  const inspection = new InspectionView(session);
  new LoadedView(session);
  new RunView(session);
  startMemoryView(session);
  startChooser(EXAMPLES, (file) => inspection.show(file));
  status.textContent = `Engine ready, version ${mt.plugins.VersionInfo.current()}`;
  status.classList.add('is-ready');
} catch (error) {
  status.textContent = `The engine did not start. ${error instanceof Error ? error.message : error}`;
  status.classList.add('has-failed');
}
