import { expect, test } from 'vitest';
import type { Config } from '../../src/config.ts';
import { adviceFor, type Failure, JobFailure } from '../../src/failure.ts';
import { asStateFailure } from '../../src/state/state-disk.ts';

const alone = { state: '/state' };
const inTree = {
  state: '/state',
  team: { tree: { name: 'site', spool: '/volume/spool' } },
} as Pick<Config, 'state' | 'team'>;

function kindOf(failure: Failure, config: Pick<Config, 'state' | 'team'>) {
  const error = asStateFailure(new JobFailure(failure), config);
  return error instanceof JobFailure ? error.failure : error;
}

test('a file of the state that cannot be written ends the process, also in the spool of a tree', () => {
  for (const [file, folder] of [
    ['/state/db.json', '/state'],
    ['/volume/spool/undo/now', '/volume/spool'],
  ] as const) {
    const failure: Failure = { kind: 'unwritable', file, code: 'EROFS' };
    expect(kindOf(failure, inTree)).toMatchObject({
      kind: 'state-unwritable',
      folder,
      code: 'EROFS',
    });
  }
});

test('of the spool that all daemons of a tree share, no other state folder is advised', () => {
  const advices = ['/state/db.json', '/volume/spool/undo/now'].map((file) =>
    adviceFor(kindOf({ kind: 'unwritable', file, code: 'EROFS' }, inTree) as Failure),
  );
  expect(advices[0]).toContain('name another folder as "state"');
  expect(advices[1]).not.toContain('"state"');
});

test('a file of the state of another user ends the process', () => {
  const failure: Failure = { kind: 'unreadable', file: '/state/base/log.1', code: 'EACCES' };
  expect(kindOf(failure, alone)).toMatchObject({ kind: 'state-unwritable', unread: failure.file });
});

test('a target that cannot be written, and a job that needs more room than there is, fail alone', () => {
  for (const failure of [
    { kind: 'unwritable', file: '/volume/de/a.json', code: 'EROFS' },
    { kind: 'unwritable', file: '/volume/spool/undo/now', code: 'EISDIR' },
    { kind: 'disk-full', file: '/state/spool', needs: 10_000 },
  ] as const satisfies readonly Failure[]) {
    expect(kindOf(failure, inTree)).toEqual(failure);
  }
});
