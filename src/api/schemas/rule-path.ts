import { Type } from 'typebox';
import { parseRuleId } from '../../model/rule-hit.ts';
import { Checked } from './parameters.ts';

const RULE_ID = {
  type: 'string',
  pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*(@[0-9]{1,7}[+][0-9a-f]{16})?$',
  maxLength: 100,
  description: 'Name of the rule, or its ID as `name@version+hash` for one version of it.',
  examples: ['quiet-accumulation'],
};

/** The name of a rule or its ID, refused with the given status when it is neither. */
export function RuleIdParameter(invalidStatus: 400 | 422) {
  return Type.Unsafe<string>(
    Checked(
      { ...RULE_ID, 'x-invalid-status': invalidStatus },
      (id: string) => id.length <= RULE_ID.maxLength && parseRuleId(id) !== null,
      'the name of a rule, or name@version+hash',
    ),
  );
}

export const RulePath = Type.Object({ rule_id: RuleIdParameter(400) });

export const UNKNOWN_RULE = 'This account has no rule of this name.';
export const NO_RULE_ID = 'rule_id must be the name of a rule, or name@version+hash.';
