/** The faults that the sandbox can simulate, as data. Durations are wall-clock milliseconds. */

/** How a translation is damaged. */
export type SimulatedDamage =
  | 'drop' // a placeholder or tag is gone
  | 'duplicate' // it is there twice
  | 'move' // it is moved to the end
  | 'empty_pair' // `<b>x</b>` becomes `<b></b>x`
  | 'eat_space' // the blanks around it are gone
  | 'translate_id' // its name is translated
  | 'unescape'; // `&amp;` becomes `&`

export type FaultEffect =
  // before any work
  | {
      kind: 'status';
      status: number;
      /** Seconds, or an HTTP date. */
      retry_after?: number | string;
      message?: string;
      /** The body that a proxy would send. */
      format?: 'json' | 'html';
    }
  | { kind: 'latency'; ms: number }
  | { kind: 'reset' }
  /** 456 after `characters` more have been billed. */
  | { kind: 'quota'; characters: number }
  // after the work was done and billed
  | { kind: 'no_answer'; how?: 'reset' | 'silence' }
  | { kind: 'slow_headers'; ms: number }
  /** The body is sent slowly, over `ms`. */
  | { kind: 'slow_body'; ms: number }
  /** The connection is closed after so many bytes of the body. */
  | { kind: 'cut_body'; bytes: number }
  // wrong translations
  | { kind: 'empty' }
  | { kind: 'damage'; how: SimulatedDamage }
  | { kind: 'newlines'; how: 'add' | 'lose' }
  // glossaries
  | { kind: 'delete_glossary'; answer?: 'not_found' | 'untranslated' }
  | { kind: 'not_ready' }
  // documents and voice jobs
  | { kind: 'seconds_remaining'; seconds: number }
  | { kind: 'unknown_state'; state: string }
  | { kind: 'lost_job' }
  /** The result can be fetched again after this download. */
  | { kind: 'keep_result' }
  /** This text is sent in place of the result, in UTF-8 or with one byte for each character. */
  | { kind: 'wrong_result'; text: string; encoding?: 'utf8' | 'latin1' }
  | { kind: 'failed_job'; message: string }
  /** One result fewer than there are targets. */
  | { kind: 'out_of_step' }
  | { kind: 'expired_signature' };

export type FaultKind = FaultEffect['kind'];
export type FaultOf<K extends FaultKind> = Extract<FaultEffect, { kind: K }>;

/** When a fault occurs. An absent field matches everything. */
export interface FaultAim {
  /** `METHOD path-template`. */
  operation?: string;
  /** How often; absent: once. */
  times?: number | 'always';
  /** The number of matching calls that are let through first. */
  skip?: number;
  /** Only for this target language, in any case. */
  target_lang?: string;
  /** Only for calls with a text that matches this regular expression. */
  matches?: string;
}

export type SimulatedFault = FaultEffect & FaultAim;
