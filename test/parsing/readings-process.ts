/** The program of the threads that these tests start. */
import { answerCalls } from '../../src/parsing/answer-calls.ts';
import { DEEP, ECHO, FILL, HANG, NEXT, REFUSE, SPIN, STAND, WAIT } from './readings.ts';

answerCalls([DEEP, ECHO, HANG, REFUSE, WAIT, FILL, NEXT, SPIN, STAND]);
