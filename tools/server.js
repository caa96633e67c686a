import { createReadStream, realpathSync, statSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

import { PROJECT } from './project.js';
import { errorCode } from './setup/failure.js';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/**
 * @typedef {object} Server
 * @property {string} url of the demo page, ending with a slash
 * @property {number} port
 * @property {() => Promise<void>} close
 */

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/**
 * Serves a checkout's web/ as / and its dist/ as /dist/, to this machine only.
 *
 * @param {{ port?: number, root?: string }} [options] port 0, the default, is
 *   any that is free
 * @returns {Promise<Server>}
 */
export function startServer({ port = 0, root = PROJECT } = {}) {
  const server = http.createServer((request, response) => answer(request, response, root));
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('the server has no port');
      resolve({
        url: `http://127.0.0.1:${address.port}/`,
        port: address.port,
        close: () => new Promise((closed) => {
          server.close(() => closed());
          // Browsers keep connections open that they may use again.
          server.closeAllConnections();
        }),
      });
    });
  });
}

/**
 * @param {Request} request
 * @param {Response} response
 * @param {string} root
 */
function answer(request, response, root) {
  // Always what was built last.
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    refuse(response, 405, 'Only GET and HEAD are answered here.');
    return;
  }
  const file = findFile(request.url ?? '/', root);
  if (!file) {
    refuse(response, 404, 'There is no such file.');
    return;
  }
  response.setHeader('Content-Type', TYPES[path.extname(file.path)] ?? 'application/octet-stream');
  response.setHeader('Content-Length', file.size);
  if (request.method === 'HEAD') response.end();
  else createReadStream(file.path).on('error', () => response.destroy()).pipe(response);
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} reason
 */
function refuse(response, status, reason) {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${reason}\n`);
}

/**
 * @param {string} target of the request: a path, maybe with a query
 * @param {string} root
 * @returns {{ path: string, size: number } | null}
 */
function findFile(target, root) {
  try {
    const pathname = decodeURIComponent(target.replace(/[?#].*/s, ''));
    const isPackage = pathname.startsWith('/dist/');
    // Both folders with their links resolved, so that neither `..` nor a link leads out of them.
    const folder = realpathSync(path.join(root, isPackage ? 'dist' : 'web'));
    const relative = isPackage ? pathname.slice('/dist'.length) : pathname;
    const file = realpathSync(path.join(folder, relative.endsWith('/') ? `${relative}index.html` : relative));
    const stats = statSync(file);
    return file.startsWith(folder + path.sep) && stats.isFile() ? { path: file, size: stats.size } : null;
  } catch (error) {
    // Not there, or no path at all: a broken escape, a NUL.
    if (error instanceof URIError || errorCode(error) !== undefined) return null;
    throw error;
  }
}
