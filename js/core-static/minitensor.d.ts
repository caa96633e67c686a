// The same without dynamic loading.
export { default } from '../core/minitensor.js';
