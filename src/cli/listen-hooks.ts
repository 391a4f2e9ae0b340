/** Sends the events of a run to the hooks of the current config. */
import type { Events } from '../event.ts';
import { openHooks, STARTED_BY_HOOK } from '../observe/hooks.ts';
import type { Setup } from '../plan/planner.ts';
import type { CommandCall } from './command.ts';
import { worldOf } from './world.ts';

/**
 * Disposing waits for events that are not yet sent. Open it before the daemon: then it also gets the daemon's last event.
 * A command that a hook started sends nothing.
 * @param latest a reload replaces its setup
 */
export function listenHooks(
  call: CommandCall,
  events: Events,
  latest: { readonly setup: Setup },
): AsyncDisposable {
  if (call.env[STARTED_BY_HOOK] !== undefined) return new AsyncDisposableStack();
  const { clock, secrets, proxy } = worldOf(call);
  const hooks = openHooks({
    inForce: latest,
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
