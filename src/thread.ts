/** The program of a worker thread that reads foreign content. It lists all calls; each one is loaded at its first use. */
import './builtins.ts';
import {
  COUNT_TEXTS,
  INSPECT_SOURCE,
  INSPECT_TARGET,
  PAIR_TEXTS,
} from './cli/check/target-calls.ts';
import { READ_TOOL_CONFIG } from './cli/init/from/thread-calls.ts';
import { TRY_CONFIG } from './config/thread-calls.ts';
import {
  FIND_TEXTS,
  READ_EXCHANGE,
  READ_MORE_TEXTS,
  READ_REVIEW,
  SUGGEST_TERMS,
  WRITE_EXCHANGE,
  WRITE_REVIEW,
} from './control/review/thread-calls.ts';
import { CHECK_SUBTITLES, READ_SUBTITLES } from './formats/captions/thread-calls.ts';
import { READ_SOURCE_TEXTS } from './intake/thread-calls.ts';
import {
  CHECK_OFFICE,
  IS_LOCKED,
  IS_WORDLESS,
  MISSING_MEDIA,
  READ_TEXTS,
  WITH_MEDIA,
  WITHOUT_MEDIA,
} from './lanes/document/thread-calls.ts';
import { FIT_SUBTITLES, INSPECT_RECORDING } from './lanes/voice/thread-calls.ts';
import { answerCalls } from './parsing/answer-calls.ts';
import { READ_TMX } from './state/thread-calls.ts';
import {
  APPEND_TERMS,
  READ_GLOSSARY,
  READ_STYLE,
  REWRITE_TABLE,
} from './terminology/thread-calls.ts';
import {
  CALL_DRAFT,
  CLOSE_DRAFT,
  OPEN_DRAFT,
  PREPARE_DRAFT,
  SEND_TERMS,
  TELL_DRAFT,
  TELL_MOVED,
} from './translate/draft-calls.ts';
import { HASH_TEXTS } from './translate/thread-calls.ts';

answerCalls([
  APPEND_TERMS,
  CALL_DRAFT,
  CHECK_OFFICE,
  CHECK_SUBTITLES,
  CLOSE_DRAFT,
  COUNT_TEXTS,
  FIND_TEXTS,
  FIT_SUBTITLES,
  HASH_TEXTS,
  INSPECT_RECORDING,
  INSPECT_SOURCE,
  INSPECT_TARGET,
  IS_LOCKED,
  IS_WORDLESS,
  MISSING_MEDIA,
  OPEN_DRAFT,
  PAIR_TEXTS,
  PREPARE_DRAFT,
  READ_EXCHANGE,
  READ_GLOSSARY,
  READ_MORE_TEXTS,
  READ_REVIEW,
  READ_SOURCE_TEXTS,
  READ_STYLE,
  READ_SUBTITLES,
  READ_TEXTS,
  READ_TOOL_CONFIG,
  READ_TMX,
  REWRITE_TABLE,
  SEND_TERMS,
  SUGGEST_TERMS,
  TELL_DRAFT,
  TELL_MOVED,
  TRY_CONFIG,
  WITH_MEDIA,
  WITHOUT_MEDIA,
  WRITE_EXCHANGE,
  WRITE_REVIEW,
]);
