import { geoNaturalEarth1, geoPath } from 'd3-geo';
import type { FeatureCollection } from 'geojson';
import { useEffect, useMemo, useState } from 'react';
import { visibleText } from '../ui/visible-parts.ts';
import { numericIdOf } from './country-ids.ts';
import css from './locator-map.module.css';
import { loadWorld, type World } from './world.ts';

const WIDTH_PX = 240;
const HEIGHT_PX = 120;

export function LocatorMap({
  countryCode,
  place,
  label,
}: {
  countryCode: string | null;
  place: { readonly lat: number; readonly lon: number } | null;
  label: string;
}) {
  const [world, setWorld] = useState<World | 'failed' | null>(null);
  useEffect(() => {
    let isShown = true;
    loadWorld().then(
      (loaded) => isShown && setWorld(loaded),
      () => isShown && setWorld('failed'),
    );
    return () => {
      isShown = false;
    };
  }, []);
  if (world === 'failed') return <p className={css.failed}>The map could not be loaded.</p>;
  return (
    <div className={css.frame}>
      {world !== null && <Drawing world={world} countryCode={countryCode} place={place} label={label} />}
    </div>
  );
}

function Drawing({ world, countryCode, place, label }: Parameters<typeof LocatorMap>[0] & { world: World }) {
  const id = countryCode === null ? null : numericIdOf(countryCode);
  const { land, here, at } = useMemo(() => {
    const all: FeatureCollection = { type: 'FeatureCollection', features: [...world.countries] };
    const projection = geoNaturalEarth1().fitExtent(
      [
        [1, 1],
        [WIDTH_PX - 1, HEIGHT_PX - 1],
      ],
      { type: 'Sphere' },
    );
    const path = geoPath(projection).digits(1);
    const country = world.countries.find((each) => each.id === id);
    const centre = country === undefined ? null : path.centroid(country);
    return {
      land: path(all) ?? '',
      here: country === undefined ? null : (path(country) ?? ''),
      at: place === null ? centre : projection([place.lon, place.lat]),
    };
  }, [world, id, place]);
  return (
    <svg width={WIDTH_PX} height={HEIGHT_PX} role="img" aria-label={visibleText(label)} className={css.map}>
      <path d={land} className={css.land} />
      {here !== null && <path d={here} className={css.here} />}
      {at !== null && (
        <path
          d={`M${at[0].toFixed(1)} 1V${HEIGHT_PX - 1}M1 ${at[1].toFixed(1)}H${WIDTH_PX - 1}`}
          className={css.cross}
        />
      )}
      {at !== null && <circle cx={at[0]} cy={at[1]} r={place === null ? 0 : 2.5} className={css.dot} />}
    </svg>
  );
}
