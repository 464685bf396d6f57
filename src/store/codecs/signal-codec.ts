import { textFormat } from '../../model/codec.ts';
import { OUTCOME, SIGNAL } from '../../model/signal.ts';

export const { encode: encodeSignal, decode: decodeSignal } = textFormat('signal/1', SIGNAL);

export const { encode: encodeOutcome, decode: decodeOutcome } = textFormat('outcome/1', OUTCOME);
