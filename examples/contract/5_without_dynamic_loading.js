import { init, NotImplementedError } from 'minitensor/static';

const { plugins } = await init();

try {
  await plugins.loadPlugin('./my_plugin.wasm');
} catch (error) {
  if (!(error instanceof NotImplementedError)) throw error;
  console.log('This MiniTensor build does not enable dynamic plugin loading');
}
