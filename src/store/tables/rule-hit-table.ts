import { confidenceE4 } from '../../model/finding-page.ts';
import { ruleKey } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { Address } from '../../model/units.ts';
import { decodeRuleHit, encodeRuleHit } from '../codecs/rule-hit-codec.ts';
import { encoded, numeric, slot, text } from '../sql/columns.ts';
import { columnsOfRecord, computed, describeTable, wholeWithCopies } from '../sql/table.ts';

export const ruleHitTable = describeTable({
  name: 'rule_hits',
  key: (hit: RuleHit) => String(hit.rowId),
  columns: wholeWithCopies<RuleHit>(
    encoded('record', encodeRuleHit, decodeRuleHit),
    columnsOfRecord({
      rowId: numeric('row_id'),
      slot: slot('slot'),
      createdAtMs: numeric('created_at_ms'),
      hash: text('hash'),
      kind: text('kind'),
      mint: text<Address>('mint'),
    }),
    computed(text('rule_key'), ruleKey),
    computed(numeric('confidence_e4'), ({ confidence }) => confidenceE4(confidence)),
  ),
});
