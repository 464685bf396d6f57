import { nearestName } from '../lib/nearest-name.ts';
import {
  type CompiledExpression,
  compileExpression,
  type ExpressionKind,
  isProblem,
} from './expression/compile-expression.ts';
import { featureIndex, featuresIn } from './features/registry.ts';
import { type RuleSource, readRuleFile } from './file/read-rule-file.ts';
import type { RuleFile } from './file/rule-file.ts';
import { accepted, type Checked, type RuleProblem, refused } from './problem.ts';
import { ruleHash, ruleId } from './rule-id.ts';

/** Upper bound of the operations of all expressions of a rule. */
export const RULE_COST_MAX = 2_000;
const COOL_DOWN_MINUTES = 60;

export interface CompiledStep {
  readonly when: CompiledExpression;
  readonly withinMs: number;
}

export interface CompiledReason {
  readonly when: CompiledExpression;
  readonly add: number;
  readonly reason: string;
}

/** A rule that can be judged. It has no state and is the same for the same content. */
export interface CompiledRule {
  readonly file: RuleFile;
  /** `name@version+hash`. */
  readonly id: string;
  /** Of the canonical content, 64 hex digits. */
  readonly hash: string;
  readonly when: CompiledExpression;
  /** What has to follow; empty for most rules. */
  readonly sequence: readonly CompiledStep[];
  readonly confidence: CompiledExpression | number;
  readonly reasons: readonly CompiledReason[];
  /** Indexes of the features that are shown. */
  readonly evidence: readonly number[];
  readonly coolDownMs: number;
  /** Indexes of all features that it reads, in order of the registry. */
  readonly features: readonly number[];
  /** Of all its expressions together. */
  readonly cost: number;
}

/** Reads and compiles the text of a rule. */
export function compileRuleText(text: string): Checked<CompiledRule> {
  const read = readRuleFile(text);
  return read.value === null ? read : compileRule(read.value.file, read.value.source);
}

/** Compiles a rule of the right shape. With its source, problems have positions. */
export function compileRule(
  file: RuleFile,
  source: RuleSource | null = null,
): Checked<CompiledRule> {
  const compiler = new RuleCompiler(file, source);
  const rule = compiler.compile();
  return compiler.problems.length === 0 ? accepted(rule) : refused(compiler.problems);
}

class RuleCompiler {
  readonly problems: RuleProblem[] = [];
  private readonly compiled: CompiledExpression[] = [];
  private readonly file: RuleFile;
  private readonly source: RuleSource | null;

  constructor(file: RuleFile, source: RuleSource | null) {
    this.file = file;
    this.source = source;
  }

  /** Of use only without problems. */
  compile(): CompiledRule {
    const { file } = this;
    this.checkKind();
    const when = this.expression('when', file.when, 'condition');
    const sequence = (file.sequence ?? []).map((step, index) => ({
      when: this.expression(`sequence.${index}.when`, step.when, 'condition'),
      withinMs: step.within_minutes * 60_000,
    }));
    const reasons = (file.reasons ?? []).map(({ when: text, add, reason }, index) => ({
      when: this.expression(`reasons.${index}.when`, text, 'condition'),
      add,
      reason,
    }));
    const confidence =
      typeof file.confidence === 'number'
        ? file.confidence
        : this.expression('confidence', file.confidence, 'number');
    const evidence = file.evidence.map((name, index) => this.evidence(name, index));
    const cost = this.compiled.reduce((sum, expression) => sum + expression.cost, 0);
    if (cost > RULE_COST_MAX) {
      this.refuse(
        '',
        `The rule may cost ${cost} operations, at most ${RULE_COST_MAX} are allowed.`,
      );
    }
    const read = [...this.compiled.flatMap(({ features }) => features), ...evidence];
    const hash = ruleHash(file);
    return {
      file,
      id: ruleId(file, hash),
      hash,
      when,
      sequence,
      confidence,
      reasons,
      evidence,
      coolDownMs: (file.cool_down_minutes ?? COOL_DOWN_MINUTES) * 60_000,
      features: [...new Set(read)].sort((one, other) => one - other),
      cost,
    };
  }

  private checkKind(): void {
    const { kind, scope, label, sequence } = this.file;
    if ((kind === 'label') !== (label !== undefined)) {
      this.refuse('label', 'A label belongs to a rule of kind label, and to no other.');
    }
    if ((kind === 'fraud') !== (scope !== 'pool_minute')) {
      this.refuse(
        'scope',
        'Rules of kind fraud have the scope case or cluster, all others pool_minute.',
      );
    }
    if (sequence !== undefined && scope !== 'pool_minute') {
      this.refuse('sequence', 'Only rules of the scope pool_minute can have a sequence.');
    }
  }

  private expression(path: string, text: string, kind: ExpressionKind): CompiledExpression {
    const result = compileExpression(text, this.file.scope, kind);
    if (!isProblem(result)) {
      this.compiled.push(result);
      return result;
    }
    this.refuse(path, result.message, result.offset);
    return { text, evaluate: () => null, gates: [], features: [], cost: 0 };
  }

  private evidence(name: string, index: number): number {
    const found = featureIndex(this.file.scope, name);
    if (found !== null) return found;
    const near = nearestName(
      name,
      featuresIn(this.file.scope).map((known) => known.name),
      4,
    );
    const advice = near === null ? '' : ` Did you mean ${near}?`;
    this.refuse(
      `evidence.${index}`,
      `There is no feature ${name} for the scope ${this.file.scope}.${advice}`,
    );
    return -1;
  }

  private refuse(path: string, message: string, offset = 0): void {
    const position = this.source?.positionOf(path, offset) ?? null;
    this.problems.push({
      path,
      line: position?.line ?? null,
      column: position?.column ?? null,
      message,
    });
  }
}
