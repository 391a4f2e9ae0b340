/** Hooks of the config in force, fed by the events of a run. */
import type { Events } from '../event.ts';
import { openHooks } from '../hooks.ts';
import type { Setup } from '../planner.ts';
import type { Call } from './command.ts';
import { worldOf } from './world.ts';

/** Disposing waits for hooks that run: open it before the daemon, so that it outlives the daemon's last event. */
export function listenHooks(call: Call, events: Events, setup: () => Setup): AsyncDisposable {
  const hooks = openHooks({
    hooks: () => setup().config.on,
    folder: setup().config.base,
    clock: call.clock,
    secrets: worldOf(call).secrets,
    onEvent: (event) => events.emit(event),
  });
  const unsubscribe = events.subscribe(hooks);
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await hooks[Symbol.asyncDispose]();
    },
  };
}
