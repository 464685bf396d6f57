import type { RuleChanges } from '../../ingestion/rule-changes.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import { ApiError } from '../../model/errors.ts';
import { OPERATOR, type PublishedRule, ruleKey } from '../../model/rule-change.ts';
import type { ListedRule, RulePublication } from '../../model/rule-listing.ts';
import { compileNewRule } from '../../rules/compile-new-rule.ts';
import { compileRuleText } from '../../rules/compile-rule.ts';
import { problemText } from '../../rules/problem.ts';
import { canonicalRule } from '../../rules/rule-id.ts';
import type { StoredRules } from '../../store/control/rules.ts';
import type { ControlWrites } from '../shared/control-writes.ts';

/** The rules that are judged now. */
export interface JudgedRules {
  publishedRules(): readonly PublishedRule[];
}

export interface RuleServiceOptions {
  readonly stored: StoredRules;
  readonly operator: readonly PublishedRule[];
  readonly changes: RuleChanges;
  /** The present engine. */
  readonly judged: () => JudgedRules;
  /** Null until replicas agree on what is published. */
  readonly control: ControlWrites | null;
}

const STARTING = 'The replica is starting: publish the rule again.';

/** Publishes and lists rules. What is published reaches the fold with the next slot. */
export class RuleService {
  private readonly options: RuleServiceOptions;
  private control: ControlWrites | null;

  constructor(options: RuleServiceOptions) {
    this.options = options;
    this.control = options.control;
  }

  /** Rules are those of several replicas; what is published reaches their log of steps. */
  share(control: ControlWrites): void {
    this.control = control;
  }

  /** The rules of an account and of the operator, by name, those of the account first. */
  async list(accountId: string): Promise<readonly ListedRule[]> {
    const { stored, operator } = this.options;
    const own = stored.list(accountId).map(({ name, content }) => ({
      author: accountId,
      name,
      content,
    }));
    const judged = this.judgedContents();
    return [...own, ...operator].flatMap((rule) => toListed(rule, judged) ?? []);
  }

  /** Publishes the text of a rule for an account. Idempotent. */
  async publish(request: {
    readonly accountId: string;
    readonly text: string;
  }): Promise<RulePublication> {
    const { accountId } = request;
    const { value, problems } = compileNewRule(request.text);
    if (value === null) return { kind: 'refused', problems: problems.map(problemText) };
    const { name, version } = value.file;
    const content = canonicalRule(value.file);
    const outcome = await this.write(accountId, name, () =>
      this.options.stored.publish({ accountId, name, version, content }),
    );
    if (outcome.kind === 'old' || outcome.kind === 'full') return outcome;
    const rule = { author: accountId, name, content };
    this.options.changes.publish(rule);
    const listed = toListed(rule, this.judgedContents());
    if (listed === null) throw new Error('a rule that compiled does not');
    return { kind: outcome.kind, rule: listed };
  }

  /** The rule that was withdrawn; null if the account has none of the name. */
  async withdraw(request: {
    readonly accountId: string;
    readonly name: string;
  }): Promise<ListedRule | null> {
    const { accountId, name } = request;
    const rule = (await this.list(accountId)).find(
      (one) => one.author === accountId && one.name === name,
    );
    if (rule === undefined) return null;
    const isWithdrawn = await this.write(accountId, name, () =>
      this.options.stored.withdraw(accountId, name),
    );
    if (!isWithdrawn) return null;
    this.options.changes.withdraw({ author: accountId, name });
    return rule;
  }

  private write<Result>(accountId: string, name: string, work: () => Result): Awaitable<Result> {
    if (this.control === null) throw new ApiError(503, STARTING);
    return this.control.write([{ table: 'rules', where: { account_id: accountId, name } }], work);
  }

  private judgedContents(): ReadonlyMap<string, string> {
    const rules = this.options.judged().publishedRules();
    return new Map(rules.map((rule) => [ruleKey(rule), rule.content]));
  }
}

/** The rules that should be judged: those of the operator and of all accounts. */
export function wantedRules(
  stored: StoredRules,
  operator: readonly PublishedRule[],
): readonly PublishedRule[] {
  const ofAccounts = stored
    .all()
    .filter(({ accountId }) => accountId !== OPERATOR)
    .map(({ accountId, name, content }) => ({ author: accountId, name, content }));
  return [...operator, ...ofAccounts];
}

function toListed(rule: PublishedRule, judged: ReadonlyMap<string, string>): ListedRule | null {
  const compiled = compileRuleText(rule.content).value;
  if (compiled === null) return null;
  const { version, kind, title, scope } = compiled.file;
  const isJudged = judged.get(ruleKey(rule)) === rule.content;
  return { ...rule, version, hash: compiled.hash, kind, title, scope, isJudged };
}
