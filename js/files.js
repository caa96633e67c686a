/*
 * Files of tensors. `decode…` and `encode…` work on bytes; `read…` also waits for a Blob, a Response, or a promise of
 * one, such as fetch gives.
 */
export { decodeNpy, encodeNpy, readNpy } from './npy.js';
export { decodeSafetensors, encodeSafetensors, readSafetensors } from './safetensors.js';

/** @typedef {import('./file_bytes.js').Bytes} Bytes */
/** @typedef {import('./file_bytes.js').FileSource} FileSource */
/** @typedef {import('./safetensors.js').Safetensors} Safetensors */
/** @typedef {import('./safetensors.js').SafetensorsOptions} SafetensorsOptions */
