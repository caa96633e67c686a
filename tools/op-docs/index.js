import { activationDocs } from './activations.js';
import { arithmeticDocs } from './arithmetic.js';
import { arrayDocs } from './arrays.js';
import { creationDocs } from './creation.js';
import { divisionDocs } from './division.js';
import { elementaryDocs } from './elementary.js';
import { elementwiseDocs } from './elementwise.js';
import { linalgDocs } from './linalg.js';
import { logicDocs } from './logic.js';
import { lossDocs } from './losses.js';
import { neuralDocs } from './neural.js';
import { normalizedDocs } from './normalized.js';
import { randomDocs } from './random.js';
import { reduceDocs } from './reduce.js';
import { scanDocs } from './scan.js';
import { shapeDocs } from './shape.js';
import { statisticsDocs } from './statistics.js';

/**
 * What the documentation says of an op beyond the core's own table. It is not in the compiled core.
 *
 * @typedef {object} OpDoc
 * @property {string} summary one line: what it computes
 * @property {string} [formula] where the summary is none
 * @property {string} shapes what the output's shape is
 * @property {string} dtypes which are taken, and which comes out
 * @property {string} [gradient] required for an op that has one
 * @property {Readonly<Record<string, string>>} [attributes] what each is; of a string, which values it takes
 * @property {string} [errors] beyond those for shapes that do not broadcast and unknown attributes
 * @property {string} [source] where the definition comes from
 * @property {string} example JavaScript that runs in the tests: `mt` is an instance; a comment `// …` behind an
 *   expression is its value
 */

/** By name; a test fails for an op of the engine that is not here. @type {Readonly<Record<string, OpDoc>>} */
export const opDocs = {
  ...activationDocs,
  ...arithmeticDocs,
  ...arrayDocs,
  ...creationDocs,
  ...divisionDocs,
  ...elementaryDocs,
  ...elementwiseDocs,
  ...linalgDocs,
  ...logicDocs,
  ...lossDocs,
  ...neuralDocs,
  ...normalizedDocs,
  ...randomDocs,
  ...reduceDocs,
  ...scanDocs,
  ...shapeDocs,
  ...statisticsDocs,
};
