import type { PollOutcome } from '../../collecting/poll.ts';
import { countOf, fieldsOf } from '../../collecting/read-fields.ts';

/** The monthly budget of posts, since X bills every post that is read. Months are in UTC. */
export class PostBudget {
  private readonly postsPerMonth: number;
  private month = '';
  private posts = 0;

  /** `kept` is an earlier result of `entries`. */
  constructor(postsPerMonth: number, kept: unknown) {
    this.postsPerMonth = postsPerMonth;
    const { month, posts } = fieldsOf(kept);
    if (typeof month === 'string') this.month = month;
    this.posts = countOf(posts) ?? 0;
  }

  /** Posts that may still be read this month. */
  left(nowMs: number): number {
    this.turn(nowMs);
    return Math.max(0, this.postsPerMonth - this.posts);
  }

  spend(posts: number, nowMs: number): void {
    this.turn(nowMs);
    this.posts += posts;
  }

  entries(): { readonly month: string; readonly posts: number } {
    return { month: this.month, posts: this.posts };
  }

  private turn(nowMs: number): void {
    const month = new Date(nowMs).toISOString().slice(0, 7);
    // If the clock steps back, the budget of a month is not granted a second time.
    if (month <= this.month) return;
    this.month = month;
    this.posts = 0;
  }
}

/** Waits until the next month begins. */
export function budgetSpent(message: string, nowMs: number): PollOutcome {
  const now = new Date(nowMs);
  const untilMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return { kind: 'waiting', reason: 'budget-spent', untilMs, message };
}
