/** `service.ca_file` that cannot be used is a fault of the config, in all commands alike. */

import { rm } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { Rig } from '../rig.ts';

const COMMANDS: readonly string[] = [
  ...['check', 'check --online', 'status', 'plan', 'once', 'once --frozen', 'run', 'usage'],
  ...['translate Hello --to de', 'languages', 'glossary diff', 'retry --all', 'lock'],
];

const PROBLEMS: Readonly<Record<string, Problem>> = {
  'is not there': { says: 'does not exist', make: () => {} },
  'is a folder': { says: 'EISDIR', make: (file) => execFileSync('/bin/mkdir', [file]) },
  'is a named pipe': {
    says: 'not a regular file',
    make: (file) => execFileSync('/usr/bin/mkfifo', [file]),
  },
  'has no certificate': {
    says: 'has no certificate in the form of PEM',
    make: (_file, rig) => rig.write('ca.pem', 'key\n'),
  },
};

interface Problem {
  /** A part of the message. */
  readonly says: string;
  make(file: string, rig: Rig): unknown;
}

const CONFIG = `
projects:
  app: { source: en, targets: [de], routes: [{ from: "locales/{locale}/*.json" }] }
`;

async function rigWithAuthorities(): Promise<Rig> {
  return await Rig.start({
    config: CONFIG,
    service: '  ca_file: ca.pem',
    files: { 'locales/en/a.json': '{"a":"Hello"}\n', 'ca.pem': rootCertificates[0] ?? '' },
  });
}

test.each(Object.entries(PROBLEMS))(
  'every command ends with 78 when the file of authorities %s',
  async (_, { says, make }) => {
    await using rig = await rigWithAuthorities();
    await rm(rig.path('ca.pem'));
    await make(rig.path('ca.pem'), rig);
    for (const typed of COMMANDS) {
      const { code, stdout } = await rig.run(...typed.split(' '), '--json');
      const object = JSON.parse(stdout) as { error?: { faults: object[] }; faults?: object[] };
      const faults = object.error?.faults ?? object.faults;
      const message = expect.stringContaining(says);
      expect({ typed, code, faults }).toEqual({
        ...{ typed, code: 78 },
        faults: [expect.objectContaining({ file: rig.path('dragoman.yaml'), line: 5, message })],
      });
    }
  },
);

test('a file of authorities that can be read is used', async () => {
  await using rig = await rigWithAuthorities();
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(await rig.run('check')).toMatchObject({ code: 0 });
});
