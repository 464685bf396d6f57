import {
  type RuleFigure,
  TOKEN_RULES,
  type TokenJudgement,
  WALLET_KINDS,
} from '../../model/wallet-kind.ts';
import { address, integer, list, maybeWord, nullable, rounded, text, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const Figure = wireRecord<RuleFigure>()({
  measure: [text, 'measure', 'Name of the measure.'],
  value: [rounded(4), 'value', 'Measured value.'],
  threshold: [rounded(4), 'threshold', 'Threshold of the rule.'],
});

/** A rule that makes a wallet a bot in one token. */
export const TokenJudgementBody = wireRecord<TokenJudgement>()({
  token_address: [address, 'token'],
  rule: [word(TOKEN_RULES), 'rule'],
  kind: [
    maybeWord(WALLET_KINDS),
    'kind',
    'Kind of program; null for coordination other than wash trading.',
  ],
  meaning: [text, 'meaning', 'What the rule detects and why, in words.'],
  since_slot: [
    nullable(integer),
    'sinceSlot',
    'Slot from which on it counts; null where it holds for the sum of all trades.',
  ],
  evidence: [list(Figure), 'evidence', 'Figures of the rule.'],
});
