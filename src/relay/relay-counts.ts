/** How a request to the node ended. */
export type RelayResult =
  | 'answered'
  | 'no-replica'
  | 'too-many'
  | 'refused'
  | 'cut-off'
  | 'abandoned';
/** Why a request was sent to another replica. */
export type RepeatReason = 'unsent' | 'lost' | 'late' | 'behind' | 'other-session';

/** Counts since the start of what a node did. */
export class RelayCounts {
  readonly results: Record<RelayResult, number> = {
    answered: 0,
    'no-replica': 0,
    'too-many': 0,
    refused: 0,
    'cut-off': 0,
    abandoned: 0,
  };
  readonly repeats: Record<RepeatReason, number> = {
    unsent: 0,
    lost: 0,
    late: 0,
    behind: 0,
    'other-session': 0,
  };
  /** Requests and streams that are open now. */
  requests = 0;
  streams = 0;
  /** Streams that went on at another replica, and those that could not. */
  readonly moves = { moved: 0, ended: 0 };
}
