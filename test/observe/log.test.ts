/** The log goes on when its output does not take a line. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { type LogStyle, openEventLog } from '../../src/observe/log.ts';

/** Like the stderr of Node whose terminal is gone: each line fails, and no error closes it. */
class Gone extends Writable {
  tried = 0;

  override _write(_line: Buffer, _encoding: string, done: (error: Error) => void): void {
    this.tried += 1;
    done(Object.assign(new Error('write EIO'), { code: 'EIO' }));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error);
    (this as unknown as { _undestroy(): void })._undestroy();
  }
}

test.each(['terminal', 'journal', 'json'] satisfies LogStyle[])(
  'a line that the %s does not take ends neither the log nor the program',
  async (style) => {
    const stream = new Gone();
    stream.on('error', () => {});
    const log = openEventLog({ level: () => 'info', style, stream, shown: (line) => line });
    for (const projects of [1, 2, 3]) {
      log({ kind: 'started', projects });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stream.tried).toBe(3);
  },
);
