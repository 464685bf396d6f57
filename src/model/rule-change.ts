import { type Described, nullable, plain, record, text } from './codec.ts';

/** The author of the rules in the operator's folder. Accounts have ids of another form. */
export const OPERATOR = 'operator';

/** Authors as an account names them: itself, or the operator. */
export const RULE_AUTHORS = ['account', 'operator'] as const;

export type RuleAuthor = (typeof RULE_AUTHORS)[number];

/** The author that an account means. */
export function authorFor(author: RuleAuthor, accountId: string): string {
  return author === 'operator' ? OPERATOR : accountId;
}

/** Rules that are judged at one time, of all authors. */
export const RULES_MAX = 1_000;

/** Of the text of one rule. */
export const RULE_BYTES_MAX = 64 * 1_024;

export const RULE_CHANGE = record({
  /** The account, or OPERATOR. */
  author: text,
  /** Of the rule; one author has one rule of a name. */
  name: text,
  /** The canonical content of the rule (src/rules/rule-id.ts); null withdraws it. */
  content: nullable(plain<string>()),
});

/** A rule that is published, replaced or withdrawn. */
export interface RuleChange extends Described<typeof RULE_CHANGE> {}

/** A rule that is judged. */
export interface PublishedRule {
  readonly author: string;
  readonly name: string;
  readonly content: string;
}

/** `author/name`. */
export function ruleKey({ author, name }: Pick<PublishedRule, 'author' | 'name'>): string {
  return `${author}/${name}`;
}
