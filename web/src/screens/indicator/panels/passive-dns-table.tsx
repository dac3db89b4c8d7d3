import type { CommunityIntel } from '@assay/sdk';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { InertText } from '../../../ui/inert-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import css from './context-panels.module.css';

type Records = NonNullable<CommunityIntel['passiveDns']>['records'];
/** Estimated height: most names fit one line; longer ones are measured. */
const ROW_PX = 46;
/** Below this number a browser renders all rows without delay. */
const VIRTUAL_FROM = 100;

/** Passive DNS records. There can be thousands, so beyond 100 only the visible ones are rendered. */
export function PassiveDnsTable({ records }: { records: Records }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it needs the keyboard focus.
    <section className={css.scroll} aria-label="Passive DNS records" tabIndex={0}>
      {records.length > VIRTUAL_FROM ? <Virtual records={records} /> : <Whole records={records} />}
    </section>
  );
}

const Whole = ({ records }: { records: Records }) => (
  <ul className={css.list}>
    {records.map((record, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: records have no identity and do not move.
      <li key={index} className={css.dnsRow}>
        <Record record={record} />
      </li>
    ))}
  </ul>
);

function Virtual({ records }: { records: Records }) {
  const list = useRef<HTMLUListElement>(null);
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => list.current?.parentElement ?? null,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  return (
    <ul ref={list} className={css.list} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const record = records[index];
        return record === undefined ? null : (
          <li
            key={index}
            ref={virtual.measureElement}
            data-index={index}
            className={css.dnsRow}
            aria-setsize={records.length}
            aria-posinset={index + 1}
            style={{ position: 'absolute', insetInline: 0, top: start }}
          >
            <Record record={record} />
          </li>
        );
      })}
    </ul>
  );
}

const Record = ({ record }: { record: Records[number] }) => (
  <>
    <div>
      <InertText mono>{record.hostname}</InertText>
    </div>
    <div className={css.aside}>
      {record.recordType} <InertText mono>{record.address}</InertText>
      {record.lastSeen !== null && (
        <>
          , <Moment at={record.lastSeen} />
        </>
      )}
    </div>
  </>
);
