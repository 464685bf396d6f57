/** The repository that a release is made of. */
export interface ReleaseContext {
  /** Folder of the clone. */
  readonly root: string;
  readonly version: string;
}

/** What a check found. */
export type CheckResult =
  | { readonly status: 'ok'; readonly detail: string }
  | {
      readonly status: 'failed';
      readonly detail: string;
      /** What to do, as a sentence. */
      readonly wayOut: string;
    };

/** A condition of a release. It changes nothing in the clone. */
export interface ReleaseCheck {
  readonly name: string;
  readonly run: (context: ReleaseContext) => CheckResult;
}

export function ok(detail: string): CheckResult {
  return { status: 'ok', detail };
}

export function failed(detail: string, wayOut: string): CheckResult {
  return { status: 'failed', detail, wayOut };
}

/** Git's tag of a version. */
export function tagOf(version: string): string {
  return `v${version}`;
}
