/** The rooms of ARCHITECTURE.md, checked against every import of src/. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from '@babel/parser';
import { expect, test } from 'vitest';
import { extensionsOf } from '../src/formats/all.ts';
import { commentSentences } from './comments.ts';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const TESTS = join(ROOT, 'test');
/** The files that start the program: `main` reads the command line, `daemon` puts the parts together, `thread` reads foreign content. */
const WAY_IN = ['main', 'daemon', 'thread'];
const MOST_FILES_AT_THE_TOP = 16;
const IO =
  /^node:(fs|fs\/promises|http|https|net|child_process|sqlite|dns|tls|worker_threads|readline|readline\/promises)$/;
/** Libraries that only one file may know. */
const OWNERS: Readonly<Record<string, string>> = {
  pino: 'observe/log',
  undici: 'service/dispatcher|service/http',
  chokidar: 'watch/watch',
  lowdb: 'state/json-ledger|state/store',
  pg: 'state/postgres/connection|state/postgres/connections|state/postgres/database|state/postgres/beat-thread',
  'pg-boss': 'state/postgres/boss',
  'node:v8': 'parsing/heap',
  'node:perf_hooks': 'observe/metrics/process',
  'p-queue': 'jobs/in-process-queue|service/pace|service/rate|observe/hooks/receiver',
};
/** Implementations of one contract: none knows another. */
const SIBLINGS = ['formats', 'lanes/text', 'lanes/subtitle', 'lanes/document', 'lanes/voice'];

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  /** `import()` or `getBuiltinModule()`: the module is loaded at its first use. */
  readonly isLazy: boolean;
}

const rooms = [
  ...readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(
    /^\| `([\w-]+)\/?` \| (pure|acting) \|/gm,
  ),
].map(([, name = '', kind = '']) => ({ name, kind }));

const modules = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3));

const texts = new Map(
  modules.map((module) => [module, readFileSync(join(SRC, `${module}.ts`), 'utf8')]),
);

const imports: Import[] = modules.flatMap((from) =>
  [
    ...(texts.get(from) ?? '').matchAll(
      /^(?:import|export)\s(?:[^;']*?from )?'([^']+)'|(?:\bimport|getBuiltinModule)\('([^']+)'\)/gm,
    ),
  ].map((found) => {
    const name = found[1] ?? found[2] ?? '';
    const isLazy = found[2] !== undefined;
    const to = name.startsWith('.')
      ? relative(SRC, join(SRC, dirname(from), name)).slice(0, -3)
      : name;
    return { from, to, isLazy, isType: /^(?:import|export) type/.test(found[0]) };
  }),
);

function roomOf(module: string): string {
  return module.includes('/') ? (module.split('/')[0] ?? '') : 'src';
}

function orderOf(module: string): number {
  return rooms.findIndex(({ name }) => name === roomOf(module));
}

function isPureRoom(module: string): boolean {
  return rooms[orderOf(module)]?.kind === 'pure' && !WAY_IN.includes(module);
}

/** Files that read for a pure room say so in their names: `load.ts`, `load-languages.ts`. */
function isLoader(module: string): boolean {
  return /\/load(-[\w-]+)?$/.test(module);
}

test('ARCHITECTURE.md names each room once, at most 22, and every file lives in one', () => {
  const names = rooms.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(15);
  expect(names.length).toBeLessThanOrEqual(22);
  expect(modules.filter((module) => orderOf(module) < 0)).toEqual([]);
  expect(names.filter((name) => !modules.some((module) => roomOf(module) === name))).toEqual([]);
});

test('few files lie loose at the top of src', () => {
  const loose = modules.filter((module) => !module.includes('/'));
  expect(loose.length, loose.join(' ')).toBeLessThanOrEqual(MOST_FILES_AT_THE_TOP);
});

test('a file imports its own room or an earlier one, types included', () => {
  const upward = imports
    .filter(({ from, to }) => !WAY_IN.includes(from) && orderOf(to) > orderOf(from))
    .map(({ from, to }) => `${from} -> ${to}`);
  expect(upward).toEqual([]);
});

test('only the command line starts a daemon, and nothing imports main', () => {
  const found = imports.filter(
    ({ from, to }) => to === 'main' || (to === 'daemon' && roomOf(from) !== 'cli'),
  );
  expect(found).toEqual([]);
});

test('implementations of one contract never import each other', () => {
  const between = imports.filter(({ from, to }) => {
    const home = SIBLINGS.find(
      (folder) => dirname(from) === folder || from.startsWith(`${folder}/`),
    );
    if (home === 'formats')
      return dirname(from) === home && dirname(to) === home && from !== 'formats/all';
    return (
      home !== undefined &&
      SIBLINGS.some(
        (other) => other !== home && other.startsWith('lanes/') && to.startsWith(`${other}/`),
      )
    );
  });
  expect(between).toEqual([]);
});

/** Names that several files export for one meaning, and where. Everywhere else, an exported function or value has a name of its own. */
const SHARED_NAMES: readonly {
  readonly files: RegExp;
  readonly names: RegExp;
  readonly why: string;
}[] = [
  { files: /^cli\//, names: /^command$/, why: 'the program loads a command by its file' },
  {
    files: /-work$/,
    names: /^(?:read|write)\w*$/,
    why: 'the work that a call of the same folder loads',
  },
  {
    files: /^formats\/grammar\//,
    names: /^(?:arrangedList|commentAbove|keyText|(?:insertion|removal|rename)Edits)$/,
    why: 'the same step for files of another grammar',
  },
  {
    files: /^page\/requests$/,
    names: /Request$/,
    why: 'the check of the request of that name in control',
  },
];

function areServiceAndSandbox(modules: readonly string[]): boolean {
  return (
    modules
      .map((module) => roomOf(module))
      .sort()
      .join() === 'sandbox,service'
  );
}

test('an exported name is unique, except where the service and its sandbox use the words of the API', () => {
  const exported =
    /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  const named = [...texts]
    .flatMap(([module, text]) =>
      [...text.matchAll(exported)].map(([, name = '']) => ({ name, module })),
    )
    .filter(
      ({ name, module }) =>
        !SHARED_NAMES.some(({ files, names }) => files.test(module) && names.test(name)),
    );
  expect(named.length).toBeGreaterThan(2000);
  // A schema and its type have one name in one file.
  const twice = [...Map.groupBy(named, ({ name }) => name)]
    .map(([name, places]) => [name, ...new Set(places.map(({ module }) => module))])
    .filter(([, ...modules]) => modules.length > 1 && !areServiceAndSandbox(modules));
  expect(twice).toEqual([]);
});

test('a type has a name that says what it is: no two files declare the same one, as it would mean another thing in each', () => {
  const declared = [...texts].flatMap(([module, text]) =>
    [...text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map(
      ([, name = '']) => ({ name, module }),
    ),
  );
  expect(declared.length).toBeGreaterThan(2000);
  const twice = [...Map.groupBy(declared, ({ name }) => name)]
    .map(([name, places]) => [name, ...new Set(places.map(({ module }) => module))])
    // The properties of the component in the same file.
    .filter(([name]) => name !== 'Props')
    .filter(([, ...modules]) => modules.length > 1 && !areServiceAndSandbox(modules));
  expect(twice).toEqual([]);
});

test('the extensions of pages and of YAML are listed once, in formats/all.ts', () => {
  const known = extensionsOf('markdown', 'html', 'yaml');
  const lists = [...texts].flatMap(([module, text]) =>
    [...text.matchAll(/\[[^[\]]*\]/g)].flatMap(([list]) => {
      const quoted = [...list.matchAll(/'\.?(\w+)'/g)].filter(([, word = '']) => known.has(word));
      return quoted.length > 1 ? [module] : [];
    }),
  );
  expect(new Set(lists)).toEqual(new Set(['formats/all']));
});

/**
 * Names that mean the same in each file that declares one. They are `parse` of each format, and the extension of a path in rooms that share
 * no code.
 */
const SAME_EVERYWHERE = /^(?:parse|translateDocument)$/;

test('an exported function has a name that at most one other file has for a private one: a reader would take one for the other', () => {
  const declared = [...texts].flatMap(([module, text]) =>
    [...text.matchAll(/^(export )?(?:async )?function\*? (\w+)/gm)].map(
      ([, isExported, name = '']) => ({ name, module, isExported: isExported !== undefined }),
    ),
  );
  expect(declared.length).toBeGreaterThan(4000);
  const mistakable = [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([name]) => !SAME_EVERYWHERE.test(name))
    .filter(([name]) => !SHARED_NAMES.some(({ names }) => names.test(name)))
    .filter(([, places]) => places.some(({ isExported }) => isExported))
    .map(([name, places]) => [name, ...new Set(places.map(({ module }) => module))])
    .filter(([, ...modules]) => modules.length > 2);
  expect(mistakable).toEqual([]);
});

test('a function has at most 50 lines, its first and its last one included', () => {
  const declared =
    /^( *)(?:(?:export )?(?:async )?function\*? \w|(?!(?:if|for|while|switch|catch)\b)(?:(?:static|override|private|async|get|set) )*\*?#?\w+(?:<.*>)?\(.*\)(?:: .+)? \{$)/;
  const lengths = [...texts].flatMap(([module, text]) => {
    const lines = text.split('\n');
    return lines.flatMap((line, first) => {
      const indent = declared.exec(line)?.[1];
      if (indent === undefined) return [];
      const last = lines.findIndex(
        (each, nth) => nth > first && (each === `${indent}}` || each === `${indent}},`),
      );
      return [{ at: `${module}:${first + 1}`, length: last - first + 1 }];
    });
  });
  expect(lengths.length).toBeGreaterThan(7000);
  expect(lengths.filter(({ length }) => length > 50)).toEqual([]);
});

/** The steps of one contract: each format opens, inserts and removes, each form of exchange reads and writes. */
const STEPS_OF_A_FORMAT = /^(?:open|insert|remove|read|write)$/;

test('a private function has a name that says what it gives: at most four files share one, as it would mean another thing in each', () => {
  const declared = [...texts].flatMap(([module, text]) =>
    [...text.matchAll(/^(?:async )?function\*? (\w+)/gm)].map(([, name = '']) => ({
      name,
      module,
    })),
  );
  expect(declared.length).toBeGreaterThan(2500);
  const vague = [...Map.groupBy(declared, ({ name }) => name)]
    .filter(([name]) => !SAME_EVERYWHERE.test(name))
    .filter(
      ([name, places]) =>
        !STEPS_OF_A_FORMAT.test(name) || places.some(({ module }) => roomOf(module) !== 'formats'),
    )
    .map(([name, places]) => [name, ...new Set(places.map(({ module }) => module))])
    .filter(([, ...modules]) => modules.length > 4);
  expect(vague).toEqual([]);
});

/** Words that say of no value what it is. */
const SAYS_NOTHING =
  /^(?:WORDS|NAMED|NOTHING|MOST|MOST_BYTES|SHOWN|NAME|END|MARK|HEAD|LARGEST|LONGEST|CLEAR|GONE|EVERYTHING|READ|SAMPLE|TEXTS|STATES|LANGUAGES|PATIENCE_MS|LEAST_MS|known)$/;

test('a private constant has a name that says what it holds', () => {
  const declared = [...texts].flatMap(([module, text]) =>
    [...text.matchAll(/^(?:const|let) (\w+)/gm)].map(([, name = '']) => ({ module, name })),
  );
  expect(declared.length).toBeGreaterThan(1500);
  expect(declared.filter(({ name }) => SAYS_NOTHING.test(name))).toEqual([]);
});

test('a comment that names a page of docs/design names its headings, and no comment names a document that a contributor cannot open', () => {
  const comments = [...texts].flatMap(([module, text]) =>
    text
      .split('\n')
      .filter((line) => /API document\b|open-points|docs\/design/.test(line))
      .map((line) => ({ module, line })),
  );
  expect(comments.length).toBeGreaterThan(100);
  const wrong = comments.filter(({ line }) => {
    const [, page = '', names] =
      /docs\/design\/([\w-]+\.md), ("[^"]+"(?: and "[^"]+")?)/.exec(line) ?? [];
    const headings = [...(names ?? '').matchAll(/"([^"]+)"/g)].map(([, heading]) => heading);
    return headings.length === 0 || headings.some((each) => !headingsOf(page).has(each ?? ''));
  });
  expect(wrong).toEqual([]);
});

/** A longer sentence must be read twice by an engineer whose second language is English. */
const MOST_WORDS = 25;

test('a comment is understood at the first reading: each of its sentences has at most 25 words', () => {
  const comments = '/** Says `a b c` of it. */\n// Then\n// this.\nf(); // Behind.\n';
  expect(commentSentences(comments)).toEqual([
    { line: 1, text: 'Says `a b c` of it.', words: 4 },
    { line: 2, text: 'Then this.', words: 2 },
    { line: 4, text: 'Behind.', words: 1 },
  ]);
  const sentences = ['src', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/node_modules|fixtures\//.test(file))
      .flatMap((file) =>
        commentSentences(readFileSync(join(ROOT, folder, file), 'utf8')).map(
          ({ line, text, words }) => ({ at: `${folder}/${file}:${line}`, text, words }),
        ),
      ),
  );
  expect(sentences.length).toBeGreaterThan(12_000);
  expect(sentences.filter(({ words }) => words > MOST_WORDS)).toEqual([]);
});

/** The files that listen to events, and what for. An event that they missed would leave a line or a figure out, and change nothing. */
const LISTENERS: Readonly<Record<string, string>> = {
  'cli/listen-hooks': 'hooks',
  'cli/once': 'the progress of a run',
  'cli/open-service': 'a line about a request that is tried again',
  'cli/quickstart': 'the progress of a run',
  'cli/run': 'the log, and what systemd is told',
  'control/run-report': 'the counts of the report of a run',
  'page/serve': 'metrics, and when the page is drawn again',
};

test('no state is kept right by listening to events: what a part knows is asked of it', () => {
  const listening = [...texts].filter(([, text]) => /\bevents\.subscribe\(/.test(text));
  expect(new Set(listening.map(([module]) => module))).toEqual(new Set(Object.keys(LISTENERS)));
});

/** The headings of a page of docs/design. */
function headingsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, 'docs/design', page), 'utf8');
  return new Set([...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading));
}

test('a room is a folder of src: free space is called space, and a limit a limit', () => {
  const names =
    /(?<!\/\/.*|\* .*)(?<![\w'"`])#?(?:room|\w*Room|ROOM\w*|\w*_ROOM\w*)s?(?=[(:.,;)\] ]|$)/m;
  const found = [...texts].filter(
    // The functions of a database keep their texts, by which it knows their version.
    ([module, text]) => module !== 'state/postgres/book-schema' && names.test(text),
  );
  expect(found.map(([module, text]) => `${module}: ${names.exec(text)?.[0]}`)).toEqual([]);
});

/** Words with one meaning, and the rooms whose types may have them in their names. */
const WORDS_OF_ROOMS = [
  ['Place', /^(?:formats|segments|routes\/automaton)/],
  ['Mark', /^(?:segments|control\/review)/],
  ['Room', /^$/],
] as const;

test.each(WORDS_OF_ROOMS)(
  'a type is called %s in one meaning, the one of ARCHITECTURE.md',
  (word, rooms) => {
    const named = [...texts].filter(([, text]) =>
      new RegExp(`^(?:export )?(?:interface|class|type) \\w*${word}s?\\b`, 'm').test(text),
    );
    expect(named.map(([module]) => module).filter((module) => !rooms.test(module))).toEqual([]);
  },
);

test('no function is called nameOf or placeOf: many things have names and places, and each function meant another one', () => {
  const found = [...texts].filter(([, text]) =>
    /\b(?:function|const) #?(?:name|place)Of\b|#(?:name|place)Of\(/.test(text),
  );
  expect(found.map(([module]) => module)).toEqual([]);
});

test('pure rooms do no input or output, and nothing that they import does', () => {
  const reaches = new Map<string, string | undefined>();
  /** The way from a module to input or output; undefined when there is none. */
  const wayToIo = (module: string): string | undefined => {
    if (reaches.has(module)) return reaches.get(module);
    reaches.set(module, undefined);
    for (const { from, to, isType } of imports) {
      if (from !== module || isType) continue;
      const way = IO.test(to) || OWNERS[to] !== undefined ? to : wayToIo(to);
      if (way !== undefined) {
        reaches.set(module, `${module} -> ${way}`);
        break;
      }
    }
    return reaches.get(module);
  };
  const pure = modules.filter((module) => isPureRoom(module) && !isLoader(module));
  expect(pure.length).toBeGreaterThan(100);
  expect(pure.flatMap((module) => wayToIo(module) ?? [])).toEqual([]);
});

test('pure rooms know no code of the service client', () => {
  const found = imports.filter(
    ({ from, to, isType }) =>
      isPureRoom(from) && !isLoader(from) && to.startsWith('service/') && !isType,
  );
  expect(found).toEqual([]);
});

test('the sandbox shares no code with the client that it checks', () => {
  const shared = imports.filter(
    ({ from, to, isType }) => from.startsWith('sandbox/') && to.startsWith('service/') && !isType,
  );
  expect(shared).toEqual([]);
});

test('an outside library with an owner is imported by its owner alone', () => {
  const strangers = imports.filter(({ from, to }) => {
    const owner = OWNERS[to];
    return owner !== undefined && !owner.split('|').includes(from);
  });
  expect(strangers).toEqual([]);
});

/** What is the same for all of a process, and the files that may ask for it, each for a reason. Everybody else gets it as a parameter. */
const OWNED: readonly (readonly [
  what: string,
  use: RegExp,
  owners: Readonly<Record<string, string>>,
])[] = [
  [
    'the processor time of a daemon',
    /\bperformance\.now\(/,
    {
      clock: 'owns time',
      'files/program': 'how long a program that hung is left alone',
      'parsing/thread': 'how long a thread computes',
      'parsing/within': 'how long this thread computes',
      'control/delays': 'compares with the times of parsing/thread',
      'jobs/shared-queue': 'how long the database takes to answer',
      'state/postgres/moment': 'tells time that passes from a clock that was set',
    },
  ],
  [
    'timers',
    /\bset(?:Timeout|Interval)\(/,
    {
      clock: 'owns time',
      'files/program': 'ends a program that hangs',
      'files/git-contents': 'ends an idle git',
      'parsing/thread': 'looks after calls that hang',
      'parsing/threads': 'ends an idle thread',
      'parsing/heap': 'looks after the heap',
      'state/beat': 'begins the thread with the second beat',
      'state/postgres/connections': 'opens another connection for a call that waits',
    },
  ],
  ['the environment', /\bprocess\.env\b/, { 'files/git': 'git needs it whole' }],
  [
    'threads',
    /\bWorker\b[^']*'node:worker_threads'|getBuiltinModule\('node:worker_threads'\)/,
    {
      'parsing/thread': 'starts src/thread.ts, which reads foreign content',
      'state/beat': 'starts state/postgres/beat-thread.ts, which shows that the daemon lives',
    },
  ],
  [
    'a program of its own beside this one',
    /new URL\(\s*[`'"][^`'"]*-?thread\b/,
    {
      'parsing/thread': 'starts src/thread.ts, which reads foreign content',
      'state/beat': 'starts state/postgres/beat-thread.ts, which shows that the daemon lives',
    },
  ],
];

test.each(OWNED)('%s: only the files that own it ask for it', (_, use, owners) => {
  const using = modules.filter((module) => {
    if (/^(?:sandbox|page\/client)\//.test(module)) return false;
    const code = (texts.get(module) ?? '').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
    return use.test(code);
  });
  expect(new Set(using)).toEqual(new Set(Object.keys(owners)));
});

/** The files that start other programs themselves: `files/program` with a time limit for each, the others for the reason given. */
const STARTERS: Readonly<Record<string, string>> = {
  'files/program': 'the one place',
  'observe/hooks/command': 'ends a whole group of processes after a limit of its own',
  'cli/dashboard': 'a browser stays open; it is not waited for',
  'cli/resolve': 'an editor, in which a person writes for as long as they want',
  'sandbox/engines/real-programs':
    'programs for tests by hand: the sandbox shares no code with the client',
  'sandbox/engines/real-stream':
    'programs for tests by hand: the sandbox shares no code with the client',
};

test('no foreign program runs without a time limit: files/program starts them', () => {
  const found = [...texts].filter(([, text]) =>
    text
      .split('\n')
      .some(
        (line) => line.includes("'node:child_process'") && !/import type |typeof import/.test(line),
      ),
  );
  const starting = new Set(found.map(([module]) => module));
  // It names the module in a type as well.
  starting.add('files/program');
  expect(texts.get('files/program')).toContain("getBuiltinModule('node:child_process')");
  expect(starting).toEqual(new Set(Object.keys(STARTERS)));
});

test('a command in a message can be pasted: its files are words of a shell', () => {
  const found = [...texts].flatMap(([module, text]) =>
    [...text.matchAll(/dragoman [a-z]+ \$\{(?!shellWords\(|files\})[^}]*\}/g)].map(
      ([command]) => `${module}: ${command}`,
    ),
  );
  // Its names are constants.
  const names = 'cli/quickstart-story: ';
  expect(found.filter((each) => !each.startsWith(names))).toEqual([]);
});

/** Libraries that read foreign content, and the files of ours that do: each may hang for some content. */
const PARSERS =
  /^(@babel\/parser|@fluent\/syntax|@humanwhocodes\/momoa|csv-parse|fast-xml-parser|file-type|mdast-util-|micromark-|music-metadata|parse5|php-parser|subtitle$|toml-eslint-parser|yaml$)|^(formats\/text\/(open|compose.*)|formats\/captions\/read|files\/(zip|xml-tokens)|terminology\/rows|config\/yaml-text)$/;
/** Rooms whose files are put together by others: they read what they are given, and wait for nobody. */
const COMPOSED = ['config', 'formats', 'routes', 'segments', 'terminology'];
/** The gates: they have the content read within a time limit, by `within`. All others do it by `parse`. */
const GATES = ['config/load', 'service/glossary-entries', 'translate/drafts'];
/** Modules that gates and the work of threads use, outside of the rooms above. */
const WORK = [
  'control/review/compose-texts',
  'control/review/judge-text',
  'control/review/open-target',
  'control/review/opened',
  'files/ooxml',
  'files/ooxml-parts',
  'lanes/document/minify',
  'lanes/document/office-text',
  'lanes/document/decisions/plain-text',
  'lanes/voice/media/inspect',
  'lanes/voice/decisions/fit-subtitles',
  'state/tmx',
  'translate/draft',
  'translate/draft-composition',
  'translate/draft-host',
  'translate/draft-outcome',
  'translate/draft-target',
  'translate/earlier-page',
  'translate/inspection',
  'translate/earlier-frame',
  'translate/page-relation',
  'translate/relation',
  'translate/relation-model',
  'translate/page-in-history',
  'translate/text-files',
  'translate/text-history',
];

test('no parser runs without a time limit: all foreign content is read through parsing/', () => {
  const reading = new Set<string>();
  const grow = () => {
    const before = reading.size;
    for (const { from, to, isType, isLazy } of imports) {
      const reads = PARSERS.test(to) || (reading.has(to) && !GATES.includes(to));
      if (reads && !isType && !isLazy && roomOf(from) !== 'sandbox') reading.add(from);
    }
    return reading.size > before;
  };
  while (grow());
  const isWork = (module: string) => /-work$/.test(module) || WORK.includes(module);
  const found = [...reading].filter(
    (module) => !COMPOSED.includes(roomOf(module)) && !GATES.includes(module) && !isWork(module),
  );
  expect(found).toEqual([]);
  // Loaders of the rooms that are put together by others are not part of them.
  const loaders = [...reading].filter((module) => isLoader(module) && !GATES.includes(module));
  expect(loaders).toEqual([]);
  // Only the calls that name such a module load it.
  const loads = imports.filter(
    ({ from, to, isLazy }) =>
      isLazy &&
      reading.has(to) &&
      !COMPOSED.includes(roomOf(to)) &&
      !/(?:thread|draft|target)-calls$/.test(from),
  );
  expect(loads).toEqual([]);
});

test('a thread knows every call', () => {
  const named = modules.flatMap((module) =>
    [...(texts.get(module) ?? '').matchAll(/^export const (\w+): ThreadCall</gm)].map(
      ([, name]) => name,
    ),
  );
  const known = /answerCalls\(\[([\s\S]*?)\]\)/.exec(texts.get('thread') ?? '')?.[1] ?? '';
  expect(known.match(/\w+/g)?.toSorted()).toEqual(named.toSorted());
  const names = modules.flatMap((module) =>
    [
      ...(texts.get(module) ?? '').matchAll(
        /^ {2}name: '([^']+)',\n(?: {2}\w+: .*\n)* {2}load: /gm,
      ),
    ].map(([, name]) => name),
  );
  expect(new Set(names).size).toBe(named.length);
});

test('no expression is made of a pattern of the config, which would be slow for some pattern', () => {
  const found = modules
    .filter((module) =>
      /^(?:config|routes|intake|watch|plan)\/|^segments\/key-pattern$/.test(module),
    )
    .filter((module) => /\bRegExp\(/.test(texts.get(module) ?? ''));
  // A template's tokens are captured with fixed text around them.
  expect(found).toEqual(['routes/target-pattern']);
});

test('a table that is asked with a text is a Map: an object also answers "constructor"', () => {
  const found = modules.flatMap((module) => {
    const text = texts.get(module) ?? '';
    const tables = [...text.matchAll(/\bconst ([A-Z][A-Z_]*): [^=]*\bRecord<string,[^=]*= \{/g)];
    return tables.flatMap(([, name = '']) =>
      new RegExp(`\\b${name}(?:\\?\\.)?\\[(?!['"])| in ${name}\\b`).test(text)
        ? [`${module} ${name}`]
        : [],
    );
  });
  expect(found).toEqual([]);
});

test('the end of a tag is found in one place: a ">" in a quoted value is none', () => {
  // In subtitles the first ">" ends a tag (WebVTT, "WebVTT cue span start tag"); the sandbox shares no code with the client.
  const others = /^(?:sandbox|formats\/captions)\//;
  const found = modules.filter(
    (module) => !others.test(module) && /\[\^(?:<>|><|>)\]/.test(texts.get(module) ?? ''),
  );
  expect(found).toEqual(['parsing/markup']);
});

test('the signs of list items, fences and boxes are known in one place: expressions for them differed, and items got the mark of another list', () => {
  const signs = /\[-\*\+\]|\\d\{1,9\}|`\{3|:\{3,\}|!!!|\\\[!\[/;
  const pages =
    /^segments\/(?!frame\/block-syntax$)|^formats\/text\/|^formats\/grammar\/markdown-containers$/;
  const found = modules.filter(
    (module) =>
      pages.test(module) &&
      signs.test((texts.get(module) ?? '').replace(/^ \*.*$|\/\*\*.*$/gm, '')),
  );
  expect(found).toEqual([]);
});

/** Rooms whose lists and texts are as long as the files of people. */
const OF_FILES = /^(?:cli\/check|control\/review|files|formats|lanes|segments|translate)\//;

test('a list is appended by append: the arguments of a call have no room for all texts of a long file', () => {
  const spread = [...texts].filter(
    ([module, text]) => OF_FILES.test(module) && /\.(?:push|unshift)\(\.\.\./.test(text),
  );
  expect(spread.map(([module]) => module)).toEqual([]);
});

test('no expression begins with any number of blanks: it would look to the end of a run of blanks from each of them', () => {
  // Behind the blanks something must follow, and what is sticky begins at one place alone.
  const slow =
    /(?:^|[(=,:[{?&|] ?|=> )\/(?:\(|\(\?:)?(?:\\s|\[(?:\^\\S[^\]]*|(?: |\\[tsfrn])+)\]| )[*+](?![/)]\)?\/?)(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/(?![a-z]*y)/m;
  const found = [...texts].filter(([module, text]) => OF_FILES.test(module) && slow.test(text));
  expect(found.map(([module, text]) => [module, slow.exec(text)?.[0]])).toEqual([]);
});

test('folders are made in one place: Node says ENOENT for a disk that is read-only', () => {
  const acting = /^(?:control|files|intake|jobs|lanes|page|state|sync|translate|watch)\//;
  const found = modules
    .filter((module) => acting.test(module))
    .filter((module) => /\bmkdir(?:Sync)?\([^;]*recursive/.test(texts.get(module) ?? ''));
  expect(found).toEqual(['files/make-folder']);
});

/** The files that open others for reading, and why. */
const READERS: Readonly<Record<string, string>> = {
  'cli/doctor/machine': 'limits in /proc, whose files say that they are empty',
  'files/flush': 'folders, to flush them',
  'files/network': 'mounts in /proc',
  'files/read-file': 'what regular-file has opened',
  'files/regular-file': 'the one place',
  main: 'the null device, to see whether enough files may be open',
  'page/bundle': 'files of the package',
  'page/routes': 'files of the package',
  'service/upload-source': 'a library of its own; it looks at the kind first',
  'service/version': 'a file of the package',
  'terminology/load-styles': 'a file of the package',
};

test('a file is opened for reading in one place: whoever opens a named pipe waits for its writer for ever', () => {
  const opens = (module: string) => {
    const text = texts.get(module) ?? '';
    const names = [...text.matchAll(/^import \{([^}]*)\} from 'node:fs(?:\/promises)?'/gm)].join();
    if (/\b(?:readFile|readFileSync|createReadStream)\b/.test(names)) return true;
    const opened = /\bopen(?:Sync)?\b/.test(names)
      ? /(?<![.#\w])open(?:Sync)?\((?:[^(),:]|\([^()]*\))*(?:\)|, (?:'r|[\w.]*(?:RDONLY|READ_FLAGS)))/
      : /\b(?:fs|promises)\.(?:open|readFile|createReadStream)/;
    return opened.test(text);
  };
  const found = modules.filter(
    (module) => !/^(?:sandbox|page\/client)\//.test(module) && opens(module),
  );
  expect(new Set(found)).toEqual(new Set(Object.keys(READERS)));
});

test('a number is written in English in one place, which loads the rules of Unicode for large ones alone: they take 6 ms', () => {
  const found = modules
    .filter((module) => !module.startsWith('page/client/'))
    .filter((module) => /toLocaleString\('en-US'\)/.test(texts.get(module) ?? ''));
  expect(found).toEqual(['language']);
});

/** Changes of the disk outside of a shared tree: in the state folder with its trash, in the spool, and of temporary files. */
const OWN_FOLDER = [
  'intake/config-seen writeIfDifferent',
  ...['jobs/lock-notes appendFileSync', 'jobs/lock-tidying writeIfDifferent'],
  ...['jobs/workspace rm', 'lanes/voice/purchase rm'],
  ...['state/trash copyFile', 'state/trash copyFile'],
  ...['state/trash rm', 'state/trash rm', 'state/trash rm'],
];

/** Changes without a check of the present content, and why. */
const UNSEEN: Readonly<Record<string, string>> = {
  'control/glossaries writeIfDifferent': 'a person asked for files of the service',
  'intake/gone changeFile': 'the config says that targets of a source that is gone are deleted',
  'lanes/subtitle/film-model writeIfDifferent': 'the report is ours alone, and is made anew',
  'state/lock-file changeFile': 'the file of a language that is gone, which was just read',
  'state/lock-file replaceFile': 'what was just read is in it',
  'state/lock-file writeIfDifferent': 'its content is always the same',
  'state/trash changeFile': 'what is moved to the trash is lost to nobody',
};

test('files of a tree are changed only with the right to change them, and after a check of their present content', () => {
  const acting = /^(?:control|intake|jobs|lanes|watch)\/|^state\/(?:lock-file|trash)$/;
  const changes =
    /(?<![\w.#])(replaceFile|writeIfDifferent|changeFile|moveFile|remove(?:File|Unchanged)|(?:rename|rm|rmdir|unlink|link|symlink|copyFile|writeFile|appendFile|truncate)(?:Sync)?)(?=\()/g;
  const calls = modules
    .filter((module) => acting.test(module))
    .flatMap((module) => {
      const text = texts.get(module) ?? '';
      return [...text.matchAll(changes)].flatMap(({ 0: name, index }) => {
        if (/function $/.test(text.slice(0, index))) return [];
        const call = `${module} ${name}`;
        return [
          { call, name, given: givenAt(text, index + name.length), before: text.slice(0, index) },
        ];
      });
    });
  // The change inside of `changeFile`, which has checked the right.
  const within = ({ before }: { before: string }) =>
    /changeFile\([^,]*, \(\) => (?:\{[^}]*)?$/.test(before);
  const unasked = calls.filter(
    (each) => !/\bright(?:ToPublish)?\b|\bplacing\b/.test(each.given) && !within(each),
  );
  expect(unasked.map(({ call }) => call).toSorted()).toEqual(OWN_FOLDER);
  const looks = /^(?:move|remove)/;
  const unseen = calls
    .filter((each) => !unasked.includes(each) && !within(each) && !looks.test(each.name))
    .filter(({ given }) => !/\bexpectedOld\b|\bplacing\b/.test(given));
  expect([...new Set(unseen.map(({ call }) => call))].toSorted()).toEqual(Object.keys(UNSEEN));
});

/** The arguments of a call. @param at of its opening parenthesis */
function givenAt(text: string, at: number): string {
  for (let end = at, depth = 0; end < text.length; end++) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth === 0) return text.slice(at, end + 1);
  }
  return text.slice(at);
}

test('only main and the command line read arguments or end the process', () => {
  const found = modules
    .filter((module) => module !== 'main' && !module.startsWith('cli/'))
    .filter((module) => /(?<![#.\w])process\.(argv|exit\b|exitCode)/.test(texts.get(module) ?? ''));
  expect(found).toEqual([]);
});

test('tests wait for programs with a time limit: one that hung would stop all of them for ever', () => {
  const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== 'in-time.ts')
    .filter((file) => {
      const text = readFileSync(join(TESTS, file), 'utf8');
      return /import \{[^}]*Sync\b[^}]*\} from 'node:child_process'/.test(text);
    });
  expect(found).toEqual([]);
});

test('a test that polls has an expect of its own where tests run beside it: the imported one may belong to another test', () => {
  const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .filter((file) =>
      readFileSync(join(TESTS, file), 'utf8')
        .split(/^\s*test\b/m)
        .some(
          (text) =>
            /^[.\w]*\.concurrent\b/.test(text) &&
            /\bexpect\.(?:poll|soft)\b/.test(text) &&
            !/async \(\{[^}]*\bexpect\b[^}]*\}/.test(text),
        ),
    );
  expect(found).toEqual([]);
});

/** Here the error of a call must end the thread: the main thread waits for that. */
const UNCAUGHT = ['parsing/answer-calls'];

// Biome refuses a promise that is a statement of its own and that nobody catches.
test('a chain of promises catches what fails in it: else the process ends, and nothing that is appended later runs', () => {
  const found = [...texts]
    .filter(([module]) => !UNCAUGHT.includes(module))
    .flatMap(([module, text]) =>
      [...text.matchAll(/([\w.#]+) = \1\s*\.then\([^;]*;/g)]
        .filter(([chain]) => !chain.includes('.catch('))
        .map(([, name]) => `${module}: ${name}`),
    );
  expect(found).toEqual([]);
});

test('no loop declares a resource: compiled for Node 22, each turn after one that failed would fail with its error', () => {
  // esbuild keeps the error of a turn in a `var`, which the next turn finds set.
  // Parsing all of them takes most of this file's time: a declaration has the word.
  const declaring = [...texts].filter(([, text]) => /\busing\s+\w+\s*=/.test(text));
  const found = declaring.flatMap(([module, text]) =>
    usingsInLoops(
      parse(text, { sourceType: 'module', plugins: ['typescript'] }).program,
      false,
    ).map((line) => `${module}:${line}`),
  );
  expect(found).toEqual([]);
});

test('no built-in that Node 22 lacks is named, unless src/builtins.ts puts it in place', () => {
  const provided = texts.get('builtins') ?? '';
  // Names that `globalThis` and its classes have in Node 24.21, but not in 22.22.
  const lacking = [
    'DisposableStack',
    'AsyncDisposableStack',
    'SuppressedError',
    'Float16Array',
    'URLPattern',
    'RegExp.escape',
    'Promise.try',
    'Error.isError',
    'Math.f16round',
    'Atomics.pause',
    'Intl.DurationFormat',
  ].filter((name) => {
    const [scope = '', member] = name.split('.');
    const place = member === undefined ? `scope.${scope} ??=` : `).${member} ??=`;
    return !provided.includes(place);
  });
  expect(lacking).not.toContain('AsyncDisposableStack');
  const found = [...texts].flatMap(([module, text]) =>
    lacking
      .filter((name) => new RegExp(`\\b${RegExp.escape(name)}\\b`).test(text))
      .map((name) => `${module}: ${name}`),
  );
  expect(found).toEqual([]);
});

/** The lines of `using` and `await using` inside a loop of their own function. */
function usingsInLoops(node: unknown, inLoop: boolean): number[] {
  if (Array.isArray(node)) return node.flatMap((each) => usingsInLoops(each, inLoop));
  if (typeof node !== 'object' || node === null || !('type' in node)) return [];
  const { type, kind, loc } = node as {
    type: string;
    kind?: string;
    loc: { start: { line: number } };
  };
  const isFunction = /Function|Method/.test(type);
  const here = /^(For|While|DoWhile)/.test(type) || (inLoop && !isFunction);
  const own = type === 'VariableDeclaration' && inLoop && /using/.test(kind ?? '');
  return [
    ...(own ? [loc.start.line] : []),
    ...Object.values(node).flatMap((each) => usingsInLoops(each, here)),
  ];
}

test('no file imports itself by way of others, types and `import()` included', () => {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (module: string, path: readonly string[]) => {
    if (path.includes(module))
      cycles.push([...path.slice(path.indexOf(module)), module].join(' -> '));
    if (done.has(module) || path.includes(module)) return;
    for (const { to } of next.get(module) ?? []) visit(to, [...path, module]);
    done.add(module);
  };
  for (const module of modules) visit(module, []);
  expect(cycles).toEqual([]);
});

/** A folder of a room as one part, with all that is below it. A file at the top of a room is a part of its own. */
function partOf(module: string): string {
  const [room = '', name = '', ...below] = module.split('/');
  return below.length === 0 ? module : `${room}/${name}/`;
}

test('inside a room, no folder imports itself by way of files beside it', () => {
  const inside = imports.filter(
    ({ from, to }) =>
      roomOf(from) !== 'src' && roomOf(from) === roomOf(to) && partOf(from) !== partOf(to),
  );
  expect(inside.length).toBeGreaterThan(1000);
  const next = Map.groupBy(inside, ({ from }) => partOf(from));
  /** How `part` imports `goal`, step by step; undefined: it does not. */
  const wayTo = (goal: string, part: string, seen: Set<string>): string[] | undefined => {
    for (const { from, to } of next.get(part) ?? []) {
      if (partOf(to) === goal) return [`${from} -> ${to}`];
      if (seen.has(partOf(to))) continue;
      seen.add(partOf(to));
      const rest = wayTo(goal, partOf(to), seen);
      if (rest !== undefined) return [`${from} -> ${to}`, ...rest];
    }
    return undefined;
  };
  const folders = new Set(modules.map(partOf).filter((part) => part.endsWith('/')));
  expect(folders.size).toBeGreaterThan(20);
  expect([...folders].flatMap((folder) => wayTo(folder, folder, new Set()) ?? [])).toEqual([]);
});

/** Modules that commit without a new decision, and why. */
const COMMITTING: Readonly<Record<string, string>> = {
  'jobs/retention': 'charges have one writer each',
  'lanes/voice/remote-jobs': 'the leader alone writes them, and the database asks whether it leads',
  'sync/records': 'whoever asked for the sync begins it anew (`Needs`)',
};

test('a change of a record that daemons share is committed as a decision, which is made again when another daemon was faster', () => {
  const committing = modules.filter((module) => {
    if (module === 'ledger' || module.startsWith('state/')) return false;
    return /ledger\.commit\(/.test(texts.get(module) ?? '');
  });
  expect(committing.toSorted()).toEqual(Object.keys(COMMITTING));
});

test('the state of a claimed job is decided in one file: the lock, the events and the count of a run go with it', () => {
  const settling = modules.filter(
    (module) => !module.startsWith('state/') && /ledger\.settle\(/.test(texts.get(module) ?? ''),
  );
  expect(settling).toEqual(['jobs/settlement']);
});

// A worker of a tree knows only the jobs that it has claimed. The leader alone works on recordings, and asks about copies again.
test('a lane asks about the jobs of all daemons only where the leader does', () => {
  const asking = modules.filter(
    (module) =>
      /^(?:lanes|translate)\//.test(module) && /\.all\('jobs'\)/.test(texts.get(module) ?? ''),
  );
  const expected = /^lanes\/(?:voice\/[\w-]+|document\/copies)$/;
  expect(asking.filter((module) => !expected.test(module))).toEqual([]);
  expect(asking).toContain('lanes/document/copies');
});

test('a request of a job that bills for texts is sent where its lost answer is booked', () => {
  const sending = modules.filter(
    (module) =>
      /^(?:translate|lanes|jobs)\//.test(module) &&
      /\b(?:detection\.detect|text\.translate|writing\.rephrase)\(/.test(texts.get(module) ?? ''),
  );
  const sendsOpened = (from: string) =>
    imports.some((edge) => edge.from === from && edge.to === 'translate/sent-once');
  // Sent by translate/purchase.
  expect(sending.filter((module) => !sendsOpened(module))).toEqual(['translate/variants']);
});

/** Their times of the clock are no waits, or are compared with those of the disk. */
const OF_THE_CLOCK: Readonly<Record<string, string>> = {
  'cli/ask-languages': 'the age of a kept answer',
  'cli/progress': 'how long a run takes',
  'control/limit-watch': 'the period of the account',
  'control/review/files': 'the age of files',
  'files/temporary': 'the age of files',
  'jobs/in-process-queue': 'an offer is placed at the moment for which its time was made',
  'jobs/retention': 'the age of charges',
  'jobs/settlement': 'how long a job took',
  'jobs/shared-queue': 'an offer is sent at the moment for which its time was made',
  'jobs/workspace': 'the age of translations',
  'lanes/document/spool': 'the age of files',
  'lanes/voice/fetch-result': 'the hour in which the service keeps results',
  'lanes/voice/remote-jobs': 'the age of records',
  'lanes/voice/voice-jobs': 'the age of files',
  'page/account': 'the period of the account',
  'page/live': 'a pause of seconds, with a least and a longest time',
  'page/sessions': 'the end of a link that a person set',
  'state/edit-log': 'the age of edits',
  'state/postgres/outbox': 'the age of messages',
  'state/postgres/team-time': 'the difference between two clocks',
  'state/trash': 'the age of files',
  'state/undo-log': 'the age of runs',
  'sync/records': 'a comparison from the future is not recent',
  'watch/observed-root': 'how long a pass took',
  'watch/observer': 'whether the clock jumped',
};

test('a wait is measured with OnwardTime or isReached: the clock may be set back', () => {
  const measuring = modules
    .filter((module) => !/^(?:service|sandbox)\//.test(module))
    .filter((module) =>
      /clock\.now\(\) (?:[<>]=?|-)|[<>-]=? [\w.#]*clock\.now\(\)/.test(texts.get(module) ?? ''),
    );
  expect(measuring.toSorted()).toEqual(Object.keys(OF_THE_CLOCK));
  // All parts of the client have its clock.
  expect(texts.get('service/client')).toContain('const clock = onwardClock(');
});

test('a module that test files share registers no hook when it is loaded: those files share workers, and only the first one would have it', () => {
  const shared = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !file.includes('node_modules'));
  expect(shared.length).toBeGreaterThan(50);
  const hooked = shared.filter((file) =>
    /^(?:before|after)(?:All|Each)\(/m.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
  );
  expect(hooked).toEqual([]);
});

test('a test does not repeat the name of its group: both are printed', () => {
  const calls = /^( *)(describe|test|it)[.\w]*\((?:\n *)?'((?:\\.|[^'\n])+)',/gm;
  const named = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/node_modules|fixtures\//.test(file))
    .flatMap((file) => {
      const groups: { readonly indent: number; readonly name: string }[] = [];
      const text = readFileSync(join(TESTS, file), 'utf8');
      return [...text.matchAll(calls)].map(([, blanks = '', kind = '', name = '']) => {
        while ((groups.at(-1)?.indent ?? -1) >= blanks.length) groups.pop();
        const group = groups.at(-1)?.name ?? '';
        if (kind === 'describe') groups.push({ indent: blanks.length, name });
        return { file, group: kind === 'describe' ? '' : group, name };
      });
    });
  const grouped = named.filter(({ group }) => group !== '');
  expect(grouped.length).toBeGreaterThan(700);
  expect(
    grouped.filter(({ group, name }) => name.toLowerCase().startsWith(`${group.toLowerCase()} `)),
  ).toEqual([]);
});

test('a comment with @param names a parameter of its function', () => {
  const comments = /\/\*\*(?:(?!\*\/)[\s\S])*?@param(?:(?!\*\/)[\s\S])*\*\//g;
  const named = [...texts].flatMap(([module, text]) =>
    [...text.matchAll(comments)].flatMap(({ 0: comment, index }) => {
      const parameters = givenAt(text, text.indexOf('(', index + comment.length));
      return [...comment.matchAll(/@param (\w+)/g)].map(([, name = '']) => {
        return { module, name, parameters };
      });
    }),
  );
  expect(named.length).toBeGreaterThan(400);
  // A function that passes all of its parameters on has those of the other one.
  const wrong = named.filter(
    ({ name, parameters }) =>
      !parameters.includes(': Parameters<') && !new RegExp(`\\b${name}\\b`).test(parameters),
  );
  expect(wrong).toEqual([]);
});
