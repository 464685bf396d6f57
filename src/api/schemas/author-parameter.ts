import { authorFor, RULE_AUTHORS, type RuleAuthor } from '../../model/rule-change.ts';
import type { AskedAuthors } from '../../model/rule-hit-page.ts';
import { ListParameter } from './parameters.ts';

/** Of findings and signals: the detectors and models of this service, or rules. */
export const RESULT_AUTHORS = ['built_in', ...RULE_AUTHORS] as const;

/** Whose results a list has. `place` says where those of rules are. */
export function ResultAuthorsParameter(place: string) {
  return ListParameter(RESULT_AUTHORS, {
    description:
      'Whose results to list: those of the detectors and models of this service; those of the ' +
      'rules of the account of the key; those of the rules of the operator. Results of rules are ' +
      `${place}. Defaults to built_in.`,
  });
}

/** Whose hits a list has. */
export const RuleAuthorsParameter = ListParameter(RULE_AUTHORS, {
  description:
    'Whose rules: those of the account of the key, or those of the operator. Defaults to both.',
});

/** The authors that a request asks for; null for the built-in ones alone. */
export function askedAuthors(
  given: readonly (typeof RESULT_AUTHORS)[number][] | undefined,
  accountId: string,
): AskedAuthors | null {
  const ofRules = ruleAuthorsOf(given?.filter((author) => author !== 'built_in') ?? [], accountId);
  if (ofRules.length === 0) return null;
  return { isBuiltIn: given?.includes('built_in') ?? true, ofRules };
}

/** The authors of rules by the names that the service knows them by. */
export function ruleAuthorsOf(given: readonly RuleAuthor[], accountId: string): readonly string[] {
  return given.map((author) => authorFor(author, accountId)).sort();
}
