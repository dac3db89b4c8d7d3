import { AnsweredWrites } from './answered-writes.ts';
import { sleep } from './eventually.ts';

const DECIDED_AT_ONCE = 4;
const ADDRESSES_A_NET = 250;
const VERIFIED_TRIES = 300;
const VERIFIED_PAUSE_MS = 200;
/** The statuses that one alert is set to in turn; each alert takes the next row. */
const DECISIONS = [
  ['ACKNOWLEDGED', 'RESOLVED'],
  ['RESOLVED', 'OPEN', 'ACKNOWLEDGED'],
  ['ACKNOWLEDGED'],
  ['RESOLVED'],
] as const;
/** The description of the one webhook that subscribes to all events of its account. */
export const EVERY_EVENT = 'every event';

type Identified = { readonly id: string };
type Case = { title: string; status: string; version: number; readonly evidence: string[] };
type Item = { readonly value: string; notify: boolean };
type Webhook = { description: string; enabled: boolean };
type WebhookAnswer = { readonly webhook: Identified };

/** Writes to cases, watched items, alerts and webhooks of an account and keeps what it must hold afterwards. */
export class WatchWriter {
  readonly cases = new Map<string, Case>();
  readonly items = new Map<string, Item>();
  readonly webhooks = new Map<string, Webhook>();
  /** The last decision about each alert. */
  readonly decided = new Map<string, string>();
  /** How often each action was done to each target, as `action target`. */
  readonly done = new Map<string, number>();
  /** How often each event must have been emitted for each case or alert, as `event id`. */
  readonly told = new Map<string, number>();
  readonly accountId: string;
  readonly answered: AnsweredWrites;
  readonly #nth: number;
  readonly #receiverUrl: string;
  #watched = 0;

  constructor(
    nth: number,
    url: string,
    receiverUrl: string,
    { accountId, credential }: { readonly accountId: string; readonly credential: string },
  ) {
    this.#nth = nth;
    this.#receiverUrl = receiverUrl;
    this.accountId = accountId;
    this.answered = new AnsweredWrites(url, credential);
  }

  async run(isOver: () => boolean): Promise<void> {
    const id = await this.#addWebhook(this.#receiverUrl, EVERY_EVENT, ['*']);
    await this.#isVerified(id);
    for (let turn = 1; !isOver(); turn += 1) {
      await this.#workOnCase(turn);
      await this.#watch();
      await this.#keepWebhook(turn);
      await this.#decide();
    }
  }

  async #workOnCase(turn: number): Promise<void> {
    const made: Case = { title: `Case ${turn}`, status: 'OPEN', version: 1, evidence: [] };
    const { id } = await this.answered.write<Identified>('POST', '/cases', { title: made.title });
    this.cases.set(id, made);
    this.#note('case.create', id);
    this.#tell('case.created', id);
    for (const title of [`First of ${turn}`, `Second of ${turn}`]) {
      await this.answered.write('POST', `/cases/${id}/evidence`, { kind: 'note', title, payload: { turn } });
      made.evidence.push(title);
      made.version += 1;
      this.#note('case.evidence.add', id);
      this.#tell('case.updated', id);
    }
    const title = `Case ${turn} renamed`;
    for (const change of [{ status: 'IN_PROGRESS' }, { title }, { status: 'RESOLVED' }]) {
      await this.answered.write('PATCH', `/cases/${id}`, change);
      if (change.status !== undefined)
        made.evidence.push(
          change.status === 'RESOLVED'
            ? 'Status changed from in progress to resolved'
            : 'Status changed from open to in progress',
        );
      Object.assign(made, change, { version: made.version + 1 });
      this.#note('case.update', id);
      this.#tell('case.updated', id);
    }
  }

  /** Watches three addresses, switches off the notification of the first and unwatches the second. */
  async #watch(): Promise<void> {
    const added: string[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const value = this.#nextAddress();
      const { id } = await this.answered.write<Identified>('POST', '/monitoring', { value });
      this.items.set(id, { value, notify: true });
      this.#note('monitoring.watch', id);
      added.push(id);
    }
    const [switched = '', removed = ''] = added;
    // Without `notify` each request inverts the setting, so a request that is applied twice shows in the item.
    const { item } = await this.answered.write<{ item: Identified & Item }>(
      'POST',
      '/monitoring/toggle-notify',
      { id: switched },
    );
    this.items.set(item.id, { value: item.value, notify: false });
    this.#note('monitoring.notify', switched);
    this.items.delete(removed);
    await this.answered.write('POST', '/monitoring/unwatch', { id: removed });
    this.#note('monitoring.unwatch', removed);
  }

  #nextAddress(): string {
    const nth = this.#watched;
    this.#watched += 1;
    return `45.${this.#nth}.${Math.floor(nth / ADDRESSES_A_NET)}.${1 + (nth % ADDRESSES_A_NET)}`;
  }

  async #addWebhook(url: string, description: string, events: readonly string[]): Promise<string> {
    const body = { url, description, events };
    const { webhook } = await this.answered.write<WebhookAnswer>('POST', '/user/webhooks', body);
    this.webhooks.set(webhook.id, { description, enabled: true });
    this.#note('webhook.create', webhook.id);
    return webhook.id;
  }

  /** Waits until the receiver has consented, because events of before are kept and not sent. */
  async #isVerified(id: string): Promise<void> {
    for (let tries = 0; tries < VERIFIED_TRIES; tries += 1) {
      const { webhook } = await this.answered.send<{ webhook: { verified: boolean } }>(
        'GET',
        `/user/webhooks/${id}`,
      );
      if (webhook.verified) return;
      await sleep(VERIFIED_PAUSE_MS);
    }
    throw new Error('The receiver did not consent.');
  }

  /** Deletes two of three webhooks again. No test emits the event they subscribe to. */
  async #keepWebhook(turn: number): Promise<void> {
    const id = await this.#addWebhook(`${this.#receiverUrl}kept`, `Webhook ${turn}`, ['ransomware.claim']);
    const path = `/user/webhooks/${id}`;
    const change = { description: `Webhook ${turn} changed`, enabled: false };
    await this.answered.write('PATCH', path, change);
    this.webhooks.set(id, change);
    this.#note('webhook.change', id);
    await this.answered.write('POST', `${path}/rotate-secret`);
    this.#note('webhook.rotate-secret', id);
    if (turn % 3 === 0) return;
    await this.answered.write('DELETE', path);
    this.webhooks.delete(id);
    this.#note('webhook.delete', id);
  }

  async decideRest(): Promise<void> {
    while ((await this.#decide()) > 0);
  }

  /** Decides about at most four open alerts that the worker has raised so far; returns how many. */
  async #decide(): Promise<number> {
    const { alerts } = await this.answered.send<{ alerts: Identified[] }>(
      'GET',
      '/alerts?status=OPEN&limit=50',
    );
    const undecided = alerts.filter(({ id }) => !this.decided.has(id)).slice(0, DECIDED_AT_ONCE);
    for (const { id } of undecided)
      for (const status of DECISIONS[this.decided.size % DECISIONS.length] ?? []) {
        await this.answered.write('PATCH', `/alerts/${id}`, { status });
        this.decided.set(id, status);
        this.#note('alert.decide', id);
        this.#tell(status === 'RESOLVED' ? 'alert.resolved' : 'alert.updated', id);
      }
    return undecided.length;
  }

  #note(action: string, target: string): void {
    const key = `${action} ${target}`;
    this.done.set(key, (this.done.get(key) ?? 0) + 1);
  }

  #tell(event: string, id: string): void {
    const key = `${event} ${id}`;
    this.told.set(key, (this.told.get(key) ?? 0) + 1);
  }
}
