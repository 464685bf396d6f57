import type { Gateways } from '../lib/safe-fetch/gateways.ts';
import type { SafeFetch } from '../lib/safe-fetch/safe-fetch.ts';
import type { TrackedToken } from '../model/social-post.ts';
import type { Thumbnails } from '../model/thumbnail.ts';
import { type FetchedPicture, fetchPicture } from '../offchain/images/fetch-picture.ts';
import type { PictureFault } from '../offchain/images/hash-picture.ts';
import type { HashOutcome } from '../offchain/images/picture-hasher.ts';
import { faultOf, type JobFault } from '../offchain/jobs/fetch-fault.ts';
import type { JobKind } from '../offchain/jobs/job-rules.ts';
import { jobUrl, sha256, URL_LENGTH_MAX } from '../offchain/jobs/job-url.ts';
import { checkLink } from '../offchain/links/check-link.ts';
import { linkPlatform } from '../offchain/links/link-platform.ts';
import { linksOf, type ReadDocument, readDocument } from '../offchain/metadata/read-document.ts';
import type { JobQueue, TakenJob } from '../store/offchain/job-queue.ts';
import type { ThumbnailTable } from '../store/offchain/thumbnail-table.ts';
import type { PictureContent, SeenDocument, TokenFacts } from '../store/offchain/token-facts.ts';
import type { DocumentLink } from '../store/offchain/token-rows.ts';
import type { Found, JobWork } from './job-runner.ts';

export interface TokenWorkParts {
  readonly fetch: SafeFetch;
  readonly hash: (bytes: Uint8Array) => Promise<HashOutcome>;
  readonly gateways: Gateways;
  readonly facts: TokenFacts;
  readonly thumbnails: ThumbnailTable;
  readonly queue: JobQueue;
  /** Called with tracked tokens whose official links may have changed. */
  readonly onLinks: (tokens: readonly TrackedToken[]) => void;
}

/** After this many consecutive failures a link counts as dead. */
const LINK_TRIES_MAX = 3;

/** Distinct from the network fault "timed-out", which may mean that nothing is reachable. */
const OPENING_TIMED_OUT = 'opening-timed-out';

/** What is stored of the bytes of a picture. */
interface OpenedContent {
  readonly kind: 'opened';
  readonly content: PictureContent;
  /** Null if there are none, or none to be stored. */
  readonly thumbnails: Thumbnails | null;
}

/** A processed picture, with the hash of its bytes. */
interface SeenPicture extends Omit<OpenedContent, 'kind'> {
  readonly kind: 'seen';
  readonly key: string;
  readonly contentHash: string;
}

/** Implements the three kinds of jobs. */
export class TokenWork implements JobWork {
  private readonly parts: TokenWorkParts;
  private readonly opening = new Map<string, Promise<OpenedContent | JobFault>>();

  constructor(parts: TokenWorkParts) {
    this.parts = parts;
  }

  hostOf(url: string): string | null {
    return jobUrl(url, this.parts.gateways)?.host ?? null;
  }

  async run(kind: JobKind, job: TakenJob): Promise<Found | JobFault> {
    if (kind === 'metadata') return await this.metadata(job);
    return kind === 'picture' ? await this.picture(job) : await this.link(job);
  }

  private async metadata(job: TakenJob): Promise<Found | JobFault> {
    const read = await readDocument(this.parts.fetch, job.url);
    if (read.kind === 'fault') return read;
    const image = read.metadata.kind === 'metadata' ? read.metadata.image : null;
    // Embedded pictures need neither the network nor the queue.
    const written =
      image !== null && /^data:/i.test(image) ? await this.writtenPicture(image) : null;
    if (written?.kind === 'fault') return written;
    const document = this.seenDocument(read, image);
    const keep = (nowMs: number) => {
      if (written !== null) this.keepPicture(written, nowMs);
      const isChanged = this.parts.facts.noteDocument(job.key, document, nowMs);
      this.wantParts(document, written === null ? image : null, job.rank, nowMs);
      if (isChanged) this.publishLinks(job.key);
      return { isChanged, isLasting: this.isLasting(job.url) };
    };
    return { kind: 'found', keep };
  }

  private async picture(job: TakenJob): Promise<Found | JobFault> {
    const fetched = await fetchPicture(this.parts.fetch, job.url);
    if (fetched.kind === 'fault') return fetched;
    const opened = await this.contentOf(fetched);
    if (opened.kind === 'fault') return opened;
    const { contentHash } = fetched;
    const keep = (nowMs: number) => ({
      isChanged: this.keepPicture({ ...opened, kind: 'seen', key: job.key, contentHash }, nowMs),
      isLasting: this.isLasting(job.url),
    });
    return { kind: 'found', keep };
  }

  /** A dead link is a result too, once it was tried several times. */
  private async link(job: TakenJob): Promise<Found | JobFault> {
    const check = await checkLink(this.parts.fetch, job.url);
    const isFault = check.kind === 'fault';
    if (isFault && check.isWorthRetry && job.attempts + 1 < LINK_TRIES_MAX) return check;
    const seen = isFault
      ? { statusCode: null, fault: check.fault, redirects: null }
      : { ...check, fault: null };
    const keep = (nowMs: number) => {
      this.parts.facts.noteLink(job.key, seen, nowMs);
      return { isChanged: false, isLasting: isFault && !check.isWorthRetry };
    };
    return { kind: 'found', keep };
  }

  private async writtenPicture(image: string): Promise<SeenPicture | JobFault> {
    const key = jobUrl(image, this.parts.gateways)?.key ?? image;
    const fetched = await fetchPicture(this.parts.fetch, image);
    if (fetched.kind === 'fault') {
      const content = { kind: 'no-hash', fault: fetched.fault } as const;
      return { kind: 'seen', key, contentHash: sha256(image), content, thumbnails: null };
    }
    const opened = await this.contentOf(fetched);
    if (opened.kind !== 'fault') {
      return { ...opened, kind: 'seen', key, contentHash: fetched.contentHash };
    }
    if (opened.fault !== OPENING_TIMED_OUT) return opened;
    // A deliberately slow picture must not block the document.
    return {
      kind: 'seen',
      key,
      contentHash: fetched.contentHash,
      content: { kind: 'no-hash', fault: OPENING_TIMED_OUT },
      thumbnails: null,
    };
  }

  /** Pictures with the same bytes are opened only once, unless their thumbnails are missing. */
  private async contentOf({ bytes, contentHash }: FetchedPicture) {
    const { facts, thumbnails } = this.parts;
    const content = facts.content(contentHash);
    if (content !== null && (!isShown(content) || thumbnails.has(contentHash))) {
      return { kind: 'opened', content, thumbnails: null } as const;
    }
    const others = this.opening.get(contentHash);
    if (others !== undefined) return await others;
    const own = this.opened(bytes);
    this.opening.set(contentHash, own);
    try {
      return await own;
    } finally {
      this.opening.delete(contentHash);
    }
  }

  private async opened(bytes: Uint8Array): Promise<OpenedContent | JobFault> {
    const outcome = await this.parts.hash(bytes);
    if (outcome.kind === 'busy') return faultOf('busy', true);
    const { thumbnails, ...content } = outcome;
    if (outcome.kind === 'hashed') return { kind: 'opened', content, thumbnails };
    // The cause is unknown: the picture, or an external signal.
    if (outcome.fault === 'process-lost') return faultOf('process-lost', true);
    // On a busy machine, opening a valid picture may time out as well; results by content are
    // permanent.
    return outcome.fault === 'timed-out'
      ? faultOf(OPENING_TIMED_OUT, true)
      : { kind: 'opened', content, thumbnails };
  }

  private keepPicture(
    { key, contentHash, content, thumbnails }: SeenPicture,
    nowMs: number,
  ): boolean {
    if (thumbnails !== null) this.parts.thumbnails.put(contentHash, thumbnails, nowMs);
    return this.parts.facts.notePicture(key, contentHash, content, nowMs);
  }

  private seenDocument(
    { contentHash, metadata }: ReadDocument,
    image: string | null,
  ): SeenDocument {
    if (metadata.kind === 'unreadable') {
      const { reason: fault } = metadata;
      const nothing = { name: null, symbol: null, description: null, image: null };
      return { contentHash, fault, ...nothing, links: [], pictureKey: null };
    }
    const { name, symbol, description } = metadata;
    return {
      contentHash,
      fault: null,
      name,
      symbol,
      description,
      image: image !== null && image.length <= URL_LENGTH_MAX ? image : null,
      links: linksOf(metadata).flatMap((url) => this.documentLink(url)),
      pictureKey: image === null ? null : (jobUrl(image, this.parts.gateways)?.key ?? null),
    };
  }

  private documentLink(url: string): DocumentLink[] {
    const location = jobUrl(url, this.parts.gateways);
    return location === null ? [] : [{ platform: linkPlatform(url), url, key: location.key }];
  }

  private wantParts(
    { links, pictureKey }: SeenDocument,
    image: string | null,
    rank: number,
    nowMs: number,
  ): void {
    const { queue } = this.parts;
    if (image !== null && pictureKey !== null) {
      queue.want({ kind: 'picture', key: pictureKey, url: image, rank }, nowMs);
    }
    for (const { key, url } of links) queue.want({ kind: 'link', key, url, rank }, nowMs);
  }

  private publishLinks(key: string): void {
    const tokens = this.parts.facts.trackedWithDocument(key);
    if (tokens.length > 0) this.parts.onLinks(tokens);
  }

  private isLasting(url: string): boolean {
    return jobUrl(url, this.parts.gateways)?.isLasting ?? false;
  }
}

/** Whether a picture has thumbnails: an animated one has those of its first frame. */
function isShown(content: PictureContent): boolean {
  return content.kind === 'hashed' || content.fault === ('animated' satisfies PictureFault);
}
