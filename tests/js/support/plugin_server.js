import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

/** @typedef {import('node:http').ServerResponse} Answer */

export const HTML = '<!doctype html>\n<title>Not found</title>';

/**
 * Servers that do well, and those that do not.
 * @param {Uint8Array} file
 * @returns {Record<string, (answer: Answer) => void>}
 */
function answersOf(file) {
  const half = file.subarray(0, file.length / 2);
  /** @type {(type: string, body: string | Uint8Array, status?: number) => (answer: Answer) => void} */
  const send = (type, body, status = 200) => (answer) => answer.writeHead(status, { 'Content-Type': type }).end(body);
  /** @type {(location: string) => (answer: Answer) => void} */
  const redirect = (location) => (answer) => answer.writeHead(302, { Location: location }).end();
  return {
    '/plugin.wasm': send('application/wasm', file),
    '/page.wasm': send('text/html', HTML),
    '/missing.wasm': send('text/html', HTML, 404),
    '/fails.wasm': send('text/plain', 'oh', 500),
    '/nothing.wasm': (answer) => answer.writeHead(204).end(),
    '/moved.wasm': redirect('/plugin.wasm'),
    '/lost.wasm': redirect('/page.wasm'),
    '/circle.wasm': redirect('/circle.wasm'),
    '/astray.wasm': redirect('http://127.0.0.1:9/x.wasm'),
    '/packed.wasm': send('application/gzip', gzipSync(file)),
    '/encoded.wasm': (answer) => answer.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(file)),
    '/library.so': send('application/octet-stream', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, ...new Array(57).fill(0)])),
    // Never answers.
    '/silent.wasm': () => {},
    // Sends no more than a half.
    '/stalls.wasm': (answer) => {
      answer.writeHead(200, { 'Content-Length': file.length });
      answer.write(half);
    },
    '/cut.wasm': (answer) => {
      answer.writeHead(200, { 'Content-Length': file.length });
      answer.write(half, () => answer.destroy());
    },
    // Says less than it sends.
    '/understated.wasm': (answer) => {
      answer.socket?.end(Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${half.length}\r\nConnection: close\r\n\r\n`),
        file,
      ]));
    },
    '/announced.wasm': (answer) => {
      answer.writeHead(200, { 'Content-Length': 10 ** 12 });
      answer.write(half);
    },
    '/endless.wasm': (answer) => {
      const more = () => {
        while (!answer.destroyed && answer.write(file));
        if (!answer.destroyed) answer.once('drain', more);
      };
      more();
    },
  };
}

/** A server of this machine's, for one test file. */
export class PluginServer {
  /** The paths that were asked for. @type {string[]} */
  requests = [];
  #server;
  #open = 0;

  /** @param {Uint8Array} file what it has */
  constructor(file) {
    const answers = answersOf(file);
    this.#server = createServer((request, answer) => {
      const path = request.url ?? '';
      this.requests.push(path);
      this.#open++;
      answer.once('close', () => this.#open--);
      (answers[path] ?? ((other) => other.writeHead(404).end()))(answer);
    });
  }

  async start() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  get origin() {
    return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (this.#server.address()).port}`;
  }

  /** Resolves when no answer is under way. */
  async idle() {
    while (this.#open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
