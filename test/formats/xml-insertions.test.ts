/**
 * New and removed entries in XML files of all formats: in files without entries, with the prefixes that they need, in the file's
 * indentation.
 */
import { describe, expect, it } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

interface Sample {
  /** With the language as its name or folder. */
  readonly path: (code: string) => string;
  readonly source: string;
  /** A target and what it becomes. */
  readonly targets: readonly (readonly [string, string])[];
  readonly to?: string;
}

const PREFIX = 'xmlns:x="urn:x"';

const SAMPLES: Readonly<Record<string, Sample>> = {
  android: {
    path: (code) => `${code}/strings.xml`,
    source: `<resources ${PREFIX}>\n  <!-- First -->\n  <string name="a">One</string>\n  <string name="b" x:y="z">Two</string>\n</resources>\n`,
    targets: [
      '<resources/>',
      '<resources />',
      '<resources></resources>',
      '<resources>\n</resources>',
    ].map((empty) => [
      `<?xml version="1.0"?>\n${empty}\n`,
      `<?xml version="1.0"?>\n<resources xmlns:x="urn:x">\n  <!-- First -->\n  <string name="a">Oneä</string>\n  <string name="b" x:y="z">Twoä</string>\n</resources>\n`,
    ]),
  },
  resx: {
    path: (code) => `App.${code}.resx`,
    source: `<root ${PREFIX}>\n  <data name="a">\n    <value>One</value>\n  </data>\n  <data name="b" x:y="z"><value>Two</value></data>\n</root>\n`,
    targets: ['<root/>', '<root\n/>', '<root></root>', '<root>\n</root>'].map((empty) => [
      `${empty}\n`,
      `<root xmlns:x="urn:x">\n  <data name="a">\n    <value>Oneä</value>\n  </data>\n  <data name="b" x:y="z"><value>Twoä</value></data>\n</root>\n`,
    ]),
  },
  stringsdict: {
    path: (code) => `${code}.lproj/a.stringsdict`,
    source:
      '<plist version="1.0">\n<dict>\n  <key>a</key>\n  <string>One</string>\n  <key>b</key>\n  <string>Two</string>\n</dict>\n</plist>\n',
    targets: ['<dict/>', '<dict></dict>', '<dict>\n</dict>'].map((empty) => [
      `<plist version="1.0">\n${empty}\n</plist>\n`,
      '<plist version="1.0">\n<dict>\n  <key>a</key>\n  <string>Oneä</string>\n  <key>b</key>\n  <string>Twoä</string>\n</dict>\n</plist>\n',
    ]),
  },
  qt: {
    path: (code) => `app_${code}.ts`,
    source: `<TS version="2.1" ${PREFIX}>\n<context>\n  <name>c</name>\n  <message>\n    <source>One</source>\n    <translation type="unfinished"></translation>\n  </message>\n  <message x:y="z">\n    <source>Two</source>\n    <translation type="unfinished"></translation>\n  </message>\n</context>\n</TS>\n`,
    targets: ['<TS version="2.1"/>', '<TS version="2.1">\n</TS>'].map((empty) => [
      `${empty}\n`,
      '<TS version="2.1" xmlns:x="urn:x">\n<context>\n  <name>c</name>\n  <message>\n    <source>One</source>\n    <translation type="unfinished">Oneä</translation>\n  </message>\n  <message x:y="z">\n    <source>Two</source>\n    <translation type="unfinished">Twoä</translation>\n  </message>\n</context>\n</TS>\n',
    ]),
  },
  'xliff 1.2': {
    path: (code) => `app.${code}.xlf`,
    source: `<xliff version="1.2" ${PREFIX}>\n  <file original="a">\n    <body>\n      <trans-unit id="a"><source>One</source></trans-unit>\n      <trans-unit id="b" x:y="z"><source>Two</source></trans-unit>\n    </body>\n  </file>\n</xliff>\n`,
    targets: [
      '\n  <file original="a">\n    <body/>\n  </file>\n</xliff>',
      '\n  <file original="a">\n    <body>\n    </body>\n  </file>\n</xliff>',
      '\n</xliff>',
    ].map((rest) => [
      `<xliff version="1.2">${rest}\n`,
      '<xliff version="1.2" xmlns:x="urn:x">\n  <file original="a">\n    <body>\n      <trans-unit id="a"><source>One</source><target state="needs-review-translation">Oneä</target></trans-unit>\n      <trans-unit id="b" x:y="z"><source>Two</source><target state="needs-review-translation">Twoä</target></trans-unit>\n    </body>\n  </file>\n</xliff>\n',
    ]),
  },
  'xliff 2': {
    path: (code) => `app.${code}.xliff`,
    source: `<xliff version="2.0" ${PREFIX}>\n  <file id="f">\n    <unit id="a"><segment><source>One</source></segment></unit>\n    <unit id="b" x:y="z"><segment><source>Two</source></segment></unit>\n  </file>\n</xliff>\n`,
    targets: ['\n  <file id="f"/>\n</xliff>', '\n  <file id="f">\n  </file>\n</xliff>'].map(
      (rest) => [
        `<xliff version="2.0">${rest}\n`,
        '<xliff version="2.0" xmlns:x="urn:x">\n  <file id="f">\n    <unit id="a"><segment state="translated"><source>One</source><target>Oneä</target></segment></unit>\n    <unit id="b" x:y="z"><segment state="translated"><source>Two</source><target>Twoä</target></segment></unit>\n  </file>\n</xliff>\n',
      ],
    ),
  },
};

const jobsOf = ({ path }: Pick<Sample, 'path'>, source: string, target: string) =>
  TextJobs.of(`{ from: "${path('en')}", to: "${path('{locale}')}", lane: text }`, {
    [path('en')]: source,
    [path('de')]: target,
  });

describe.each(Object.entries(SAMPLES))('%s', (_, sample) => {
  it.each(sample.targets)(
    '%j gets all entries, as its source has them',
    async (target, expected) => {
      const jobs = await jobsOf(sample, sample.source, target);
      expect(await jobs.run(sample.path('en'))).toMatchObject({
        bought: ['One', 'Two'],
        state: { kind: 'done' },
      });
      expect(await jobs.read(sample.path('de'))).toBe(expected);
      expect(await jobs.run(sample.path('en'))).toMatchObject({ bought: [], isWritten: false });
    },
  );
});

describe('a new entry is indented as the others of its file', () => {
  const { android, resx, 'xliff 1.2': xliff } = SAMPLES;
  it.each([
    [
      'android',
      android,
      '<resources>\n\t<string name="a">Eins</string>\n</resources>\n',
      '<resources xmlns:x="urn:x">\n\t<string name="a">Eins</string>\n\t<string name="b" x:y="z">Twoä</string>\n</resources>\n',
    ],
    [
      'android, first',
      android,
      '<resources>\n    <string name="b">Zwei</string>\n</resources>\n',
      '<resources>\n    <!-- First -->\n    <string name="a">Oneä</string>\n    <string name="b">Zwei</string>\n</resources>\n',
    ],
    [
      'resx',
      resx,
      '<root>\n    <data name="b">\n      <value>Zwei</value>\n    </data>\n</root>\n',
      '<root>\n    <data name="a">\n      <value>Oneä</value>\n    </data>\n    <data name="b">\n      <value>Zwei</value>\n    </data>\n</root>\n',
    ],
    [
      'xliff',
      xliff,
      '<xliff version="1.2"><file original="a"><body>\n<trans-unit id="a"><source>One</source><target>Eins</target></trans-unit>\n</body></file></xliff>\n',
      '<xliff version="1.2" xmlns:x="urn:x"><file original="a"><body>\n<trans-unit id="a"><source>One</source><target>Eins</target></trans-unit>\n<trans-unit id="b" x:y="z"><source>Two</source><target state="needs-review-translation">Twoä</target></trans-unit>\n</body></file></xliff>\n',
    ],
  ])('%s', async (_, sample, target, expected) => {
    if (sample === undefined) throw new TypeError('no sample');
    const jobs = await jobsOf(sample, sample.source, target);
    await jobs.run(sample.path('en'));
    expect(await jobs.read(sample.path('de'))).toBe(expected);
  });

  it('but where its text has several lines, whose blanks may be part of it', async () => {
    const path = (code: string) => `App.${code}.resx`;
    const entry = '<data name="b">\n    <value>Two\n    lines</value>\n  </data>';
    const jobs = await jobsOf(
      { path },
      `<root>\n  <data name="a"><value>One</value></data>\n  ${entry}\n</root>\n`,
      '<root>\n\t<data name="a"><value>Eins</value></data>\n</root>\n',
    );
    await jobs.run(path('en'));
    expect(await jobs.read(path('de'))).toBe(
      `<root>\n\t<data name="a"><value>Eins</value></data>\n  ${entry.replace('Two', 'Twoä').replace('lines', 'linesä')}\n</root>\n`,
    );
  });
});

it.each([
  [
    'resx',
    'App.resx',
    'App.{locale}.resx',
    'App.de.resx',
    (entries: string) => `<root>\n${entries}</root>\n`,
    (key: string, text: string) => `    <data name="${key}"><value>${text}</value></data>\n`,
  ],
  [
    'android',
    'res/values/a.xml',
    'res/values-{android}/a.xml',
    'res/values-de/a.xml',
    (entries: string) => `<resources>\n${entries}</resources>\n`,
    (key: string, text: string) => `    <string name="${key}">${text}</string>\n`,
  ],
  [
    'strings',
    'en.lproj/a.strings',
    '{apple}.lproj/a.strings',
    'de.lproj/a.strings',
    (entries: string) => `${entries}// end\n`,
    (key: string, text: string) => `    "${key}" = "${text}";\n`,
  ],
])(
  'a comment below the first entry keeps its blanks when the entry is removed: %s',
  async (format, from, to, target, file, entry) => {
    const comment = format === 'strings' ? '/* eigenes */' : '<!-- eigenes -->';
    const rest = `\n  ${comment}\n${entry('b', 'Zwei')}`;
    const jobs = await TextJobs.of(
      `{ from: "${from}", to: "${to}", lane: text }`,
      {
        [from]: file(entry('a', 'One') + entry('b', 'Two')),
        [target]: file(entry('a', 'Eins') + rest),
      },
      'de',
    );
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, file(entry('b', 'Two')));
    await jobs.run(from);
    expect(await jobs.read(target)).toBe(file(rest));
  },
);
