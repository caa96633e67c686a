/*
 * What a plugin does to memory: what it allocates, and what it writes to that is not its own.
 */
import { Allocations } from './allocations.js';
import { Guards } from './guards.js';
import { watchLinks } from './links.js';

/** Of what has no better name: where the damage shows, which may be later than where it was done. */
export const DAMAGED = 'the plugin has damaged memory: does it write outside its output, or free twice?';

/** The engine cannot go on, and nothing of it may be called any more. */
export class Damage extends Error {}

/**
 * Whether an error that came out of the engine means that its memory is not as it left it: a trap, or sizes and
 * addresses that cannot be. The engine's own errors are of its classes, and a trap in the plugin is one of those.
 * @param {unknown} error
 */
export function isDamage(error) {
  if (error instanceof WebAssembly.RuntimeError) return true;
  return error instanceof RangeError && !/call stack/.test(error.message);
}

export class PluginMemory {
  #guards = new Guards();
  #isGuarding = true;
  allocations = new Allocations();

  /** To be called before the engine is made. */
  install() {
    watchLinks({
      core: (table) => this.#guards.setCore(table),
      imports: (imports) => {
        this.#guards.setHost(imports);
        return this.allocations.counting(imports);
      },
      exports: (exports) => (this.#isGuarding ? this.#guards.guarding(exports) : exports),
    });
  }

  /** Plugins that are linked from now on have no guards. */
  stopGuarding() {
    this.#isGuarding = false;
  }

  /**
   * Calls something of the plugin, whose result is worth nothing, and looks for what it does to memory.
   * @param {() => unknown} call
   * @returns {{ found: string, error: unknown }} what it does, empty for nothing; and what it throws
   */
  watched(call) {
    this.#guards.watch();
    this.allocations.watch();
    let error;
    try {
      call();
    } catch (thrown) {
      error = thrown;
    }
    const misuse = this.allocations.settle();
    return { found: this.#guards.settle() || misuse, error };
  }
}
