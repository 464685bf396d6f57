import { textFormat } from '../../model/codec.ts';
import { RULE_HIT } from '../../model/rule-hit.ts';

export const { encode: encodeRuleHit, decode: decodeRuleHit } = textFormat('rule-hit/1', RULE_HIT);
