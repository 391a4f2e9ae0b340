/**
 * Loaded before the command line (`node --import`): its clock stands at TEST_NOW, in milliseconds since the epoch, when it starts.
 * With TEST_PATIENT it waits 30 times as long for what does not come: on a busy machine, an answer that is late is not silence.
 */
const now = Date.now.bind(Date);
const ahead = Number(process.env['TEST_NOW']) - now();
Date.now = () => now() + ahead;

const wait = globalThis.setTimeout;
if (process.env['TEST_PATIENT'] !== undefined) {
  globalThis.setTimeout = Object.assign(
    (call: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      wait(call, ms < 1000 ? ms : ms * 30, ...given),
    wait,
  ) as typeof setTimeout;
}

export {};
