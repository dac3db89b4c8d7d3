import { digestOf, readAddress } from '#capabilities/letters/index.ts';
import { newId } from '#platform/ids.ts';
import { HOUR_MS } from '#platform/time-units.ts';
import type { Form, FormReply } from './contract.ts';
import type { FormsDeps } from './forms-deps.ts';
import { type FormEntry, insertEntry } from './store.ts';

type Sent = FormEntry['fields'] & {
  readonly email?: string | undefined;
  readonly website?: string | undefined;
};

const THANKS: Readonly<Record<Form, string>> = {
  contact: 'Thank you. Your message was kept, and a person reads it.',
  feedback: 'Thank you. Your feedback was kept, and a person reads it.',
  license: 'Thank you. Your request was kept; the answer comes to your address.',
};

/** Keeps what a visitor sent. A form with the field that people do not see is answered the same and dropped. */
export async function keepEntry(deps: FormsDeps, form: Form, sent: Sent): Promise<FormReply> {
  const { website, ...fields } = sent;
  if (website === undefined || website === '') await store(deps, form, fields);
  return { message: THANKS[form] };
}

async function store(
  { clock, postgres, letters, config }: FormsDeps,
  form: Form,
  fields: FormEntry['fields'] & Pick<Sent, 'email'>,
): Promise<void> {
  const nowMs = clock.now();
  const id = newId('frm', nowMs);
  const address = fields.email === undefined ? null : readAddress(fields.email);
  await postgres.transaction(async (tx) => {
    const addressDigest = address === null ? null : digestOf(address);
    await insertEntry(tx, { id, form, addressDigest, fields, createdAtMs: nowMs });
    if (config.FORMS_TO === undefined) return;
    // One letter an hour for each form: a flood of forms must not become a flood of mail.
    const key = `form-received:${form}:${Math.floor(nowMs / HOUR_MS)}`;
    await letters.enqueueLetter(tx, { to: config.FORMS_TO, kind: 'form-received', facts: { form, id }, key });
  });
}
