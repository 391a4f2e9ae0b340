/**
 * The keys of the editor. On a Mac, Option with a letter writes another letter, so the commands with letters use Control there, which
 * types nothing. Elsewhere they use Alt, because Ctrl C and Ctrl Z are the browser's.
 */

export type Action = 'save' | 'approve' | 'next' | 'previous' | 'copy' | 'undo';

interface EditorKeys {
  /** As people call them. */
  readonly names: Readonly<Record<Action, string>>;
  /** For `aria-keyshortcuts`. */
  readonly spoken: Readonly<Record<Action, string>>;
  readonly letters: 'alt' | 'control';
}

const ELSEWHERE: EditorKeys = {
  letters: 'alt',
  names: {
    ...{ approve: 'Ctrl Enter', save: 'Alt Enter', next: 'Alt ↓', previous: 'Alt ↑' },
    ...{ copy: 'Alt C', undo: 'Alt Z' },
  },
  spoken: {
    ...{ approve: 'Control+Enter', save: 'Alt+Enter', next: 'Alt+ArrowDown' },
    ...{ previous: 'Alt+ArrowUp', copy: 'Alt+C', undo: 'Alt+Z' },
  },
};

const ON_MAC: EditorKeys = {
  letters: 'control',
  names: {
    ...{ approve: '⌘ Enter', save: '⌥ Enter', next: '⌥ ↓', previous: '⌥ ↑' },
    ...{ copy: '⌃ C', undo: '⌃ Z' },
  },
  spoken: { ...ELSEWHERE.spoken, approve: 'Meta+Enter', copy: 'Control+C', undo: 'Control+Z' },
};

/** Also iPad and iPhone, which have the keyboards of a Mac. */
export const KEYS: EditorKeys = /^(?:Mac|iP)/.test(navigator.platform) ? ON_MAC : ELSEWHERE;

/** A key that is held down moves on, and does nothing else: it would approve the texts that come next, which nobody has read. */
export function actionOf(event: KeyboardEvent): Action | 'nothing' | undefined {
  const action = namedAction(event);
  const isMove = action === 'next' || action === 'previous';
  return event.repeat && action !== undefined && !isMove ? 'nothing' : action;
}

const WITH_ALT: ReadonlyMap<string, Action> = new Map(
  Object.entries<Action>({
    Enter: 'save',
    ArrowDown: 'next',
    ArrowUp: 'previous',
  }),
);
const LETTERS: ReadonlyMap<string, Action> = new Map(
  Object.entries<Action>({ c: 'copy', z: 'undo' }),
);

/**
 * AltGr, with which people type `{` or `ć`, counts as Ctrl and Alt on Windows. It is part of no command. A Mac has no AltGr: Firefox gives
 * its Option key that name.
 */
function namedAction(event: KeyboardEvent): Action | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const hasAltGr = KEYS.letters === 'alt' && event.getModifierState('AltGraph');
  const isAltGr = hasAltGr || (ctrlKey && altKey);
  if (isAltGr || shiftKey) return undefined;
  if (key === 'Enter' && (ctrlKey || metaKey)) return altKey ? undefined : 'approve';
  if (altKey && key.length > 1) return WITH_ALT.get(key);
  const isCommand = KEYS.letters === 'alt' ? altKey : ctrlKey;
  return isCommand && key.length === 1 ? LETTERS.get(letterOf(event)) : undefined;
}

/**
 * The Latin letter of a key, also with Caps Lock and where the keyboard writes Cyrillic or Greek. A Latin letter with a mark is not a
 * command: with this key a person types it (`ć` in Polish).
 */
function letterOf({ key, code }: KeyboardEvent): string {
  const isOtherScript = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return (isOtherScript ? code.replace('Key', '') : key).toLowerCase();
}
