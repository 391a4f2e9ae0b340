/**
 * Names that are never a source: partial downloads, temporary files of editors, files of the system, and names that begin with
 * a dot.
 */

/**
 * Whether a file or folder is ignored because of its name, in any folder. Watch and scan use this same function.
 * @param name the last part of a path
 */
export function isIgnored(name: string): boolean {
  if (name.startsWith('.')) return true;
  const lower = name.toLowerCase();
  const dot = lower.lastIndexOf('.');
  if (dot > 0 && EXTENSIONS.has(lower.slice(dot + 1))) return true;
  return PLAIN_NAMES.has(lower) || (UNUSUAL.test(lower) && OTHERS.test(lower));
}

// Sources: Syncthing lib/fs/tempname.go, nextcloud/desktop sync-exclude.lst, rclone fs/config.go, watchexec's default
// ignores, github/gitignore Global/*. Dot names cover rsync, vim, LibreOffice, macOS and ours.
const PATTERNS = [
  // transfers that are not over
  '~syncthing~*',
  '*.part',
  '*.partial',
  '*.crdownload',
  '*.filepart',
  '*.download',
  '*.opdownload',
  '*.incomplete',
  '*.!sync',
  '*.aria2',
  // two writers met
  '*.unison*',
  '*_conflict-*',
  '*.sync-conflict-*',
  // editors and offices
  '~$*',
  '*~',
  '*.~*',
  '*.tmp',
  '*.temp',
  '#*#',
  '4913',
  '*___jb_tmp___',
  '*___jb_old___',
  '*.sb-????????-??????',
  // systems and storage devices
  'thumbs.db',
  'desktop.ini',
  '$recycle.bin',
  'system volume information',
  '__macosx',
  'lost+found',
  '@eadir',
  '#recycle',
  // never sources, and large
  'node_modules',
];

// Each scan asks about nearly every name: two look-ups decide most of them.
const PLAIN_NAMES = new Set(PATTERNS.filter((pattern) => !/[*?]/v.test(pattern)));
const EXTENSIONS = new Set(
  PATTERNS.filter((pattern) => /^\*\.[^*?~\-]+$/v.test(pattern)).map((pattern) => pattern.slice(2)),
);
const OTHERS = new RegExp(
  `^(?:${PATTERNS.filter((pattern) => !isLookedUp(pattern))
    .map(expression)
    .join('|')})$`,
  'sv',
);

/** A fast check: each name that `OTHERS` matches also matches this. */
const UNUSUAL = /[~#]|conflict-|_jb_|\.sb-|\.unison/v;

function isLookedUp(pattern: string): boolean {
  return PLAIN_NAMES.has(pattern) || EXTENSIONS.has(pattern.slice(2));
}

function expression(pattern: string): string {
  const literal = pattern.replace(/[$.]/gv, String.raw`\$&`);
  return literal.replaceAll('*', '.*').replaceAll('?', '.');
}
