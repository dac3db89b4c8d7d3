import type { Analytics } from '@assay/sdk';
import { useEffect, useMemo, useState } from 'react';
import { ChartTable } from '../../charts/chart-table.tsx';
import { loadWorld, type World } from '../../charts/world.ts';
import { WorldMap } from '../../charts/world-map.tsx';
import { exact } from '../../words/numbers.ts';
import css from './overview.module.css';
import { countryCounts, mapSentence } from './overview-words.ts';

const RANKED = 8;

export function ThreatMap({ map }: { map: NonNullable<Analytics['geoThreatMap']> }) {
  const [world, setWorld] = useState<World | 'failed' | null>(null);
  useEffect(() => {
    loadWorld().then(setWorld, () => setWorld('failed'));
  }, []);
  const countries = useMemo(() => countryCounts(map), [map]);
  const label = mapSentence(countries);
  return (
    <div className={css.where}>
      <div>
        {world === 'failed' && (
          <p className="note">The map could not be loaded; the table has the same numbers.</p>
        )}
        {world === null && <div className={css.map} />}
        {world !== null && world !== 'failed' && (
          <WorldMap world={world} countries={countries} label={label} />
        )}
        <ChartTable
          caption={label}
          columns={['Country', 'Code', 'Listed addresses']}
          rows={countries.map(({ name, code, count }) => [name, code, count])}
        />
      </div>
      <ol className={css.ranks} aria-label="Countries with the most listed addresses">
        {countries.slice(0, RANKED).map(({ code, name, count }) => (
          <li key={code}>
            <span>
              {name} <span className="note">{code}</span>
            </span>
            <span className="mono">{exact(count)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
