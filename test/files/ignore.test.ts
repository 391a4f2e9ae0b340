import { expect, test } from 'vitest';
import { isIgnored } from '../../src/files/ignore.ts';

test.each([
  '.DS_Store',
  '._app.json',
  '.~lock.report.docx#',
  '.syncthing.app.json.tmp',
  '.app.json.swp',
  '~syncthing~app.json',
  'film.mp4.part',
  'report.docx.crdownload',
  'app.json.filepart',
  'app.json.1a2b3c4d.partial',
  'app.json.unison',
  'report_conflict-20260101-120000.docx',
  'app.sync-conflict-20260101-120000-ABCDEFG.json',
  '~$report.docx',
  'app.json~',
  'app.~1~',
  'APP.TMP',
  'app.temp',
  '#app.json#',
  '4913',
  'app.json___jb_tmp___',
  'app.json___jb_old___',
  'report.docx.sb-1a2b3c4d-AbCdEf',
  'setup.download',
  'app.incomplete',
  'app.json.!sync',
  'film.aria2',
  'Thumbs.db',
  'desktop.ini',
  '$RECYCLE.BIN',
  'System Volume Information',
  '__MACOSX',
  'lost+found',
  '@eaDir',
  '#recycle',
  'node_modules',
  '.git',
])('%s is ignored', (name) => {
  expect(isIgnored(name)).toBe(true);
});

test.each([
  'app.json',
  'part',
  'partial.md',
  'tmp',
  'temp.json',
  '#1.md',
  '~home.md',
  '49130',
  'conflict.md',
  'report-de.docx',
  'my_file.json',
  'a\nb.json',
  'unison.md',
  'thumbs.db.md',
])('%j is a file like any other', (name) => {
  expect(isIgnored(name)).toBe(false);
});
