/** The program that reads the files of plugins. */
export const inspector = new URL('./core/inspector.wasm', import.meta.url);
