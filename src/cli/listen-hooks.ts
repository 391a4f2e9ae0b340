/** Hooks of the config in force, fed by the events of a run. */
import type { Events } from '../event.ts';
import { openHooks } from '../observe/hooks.ts';
import type { Setup } from '../plan/planner.ts';
import type { CommandCall } from './command.ts';
import { worldOf } from './world.ts';

/** Disposing waits for what is still to be told: open it before the daemon, so that it outlives the daemon's last event. */
export function listenHooks(
  call: CommandCall,
  events: Events,
  setup: () => Setup,
): AsyncDisposable {
  const { clock, secrets, proxy } = worldOf(call);
  const hooks = openHooks({
    config: () => setup().config,
    clock,
    secrets,
    ...(proxy === undefined ? {} : { proxy }),
    onEvent: (event) => events.emit(event),
    abort: call.signals.abort,
  });
  const unsubscribe = events.subscribe(hooks);
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await hooks[Symbol.asyncDispose]();
    },
  };
}
