import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** A client of an event stream, with what it was sent. */
export class EventClient {
  readonly response: IncomingMessage;
  private text = '';
  private wake: () => void = () => undefined;

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.text += chunk;
      this.wake();
    });
    response.on('error', () => undefined);
    response.on('close', () => this.wake());
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventClient> {
    const request = get(url, { headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new EventClient(response);
  }

  /** Everything that came. */
  get received(): string {
    return this.text;
  }

  /** Resolves with all text once it is enough, or the stream has ended. */
  async until(isEnough: (text: string) => boolean): Promise<string> {
    while (!isEnough(this.text) && !this.response.closed) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.text;
  }

  close(): void {
    this.response.destroy();
  }
}
