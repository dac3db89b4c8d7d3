import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { useMemo } from 'react';
import { exact } from '../words/numbers.ts';
import { numericIdOf } from './country-ids.ts';
import { quantileBounds, quantileOf } from './quantiles.ts';
import { useWidth } from './use-width.ts';
import type { World } from './world.ts';
import css from './world-map.module.css';

export type CountryCount = { readonly code: string; readonly name: string; readonly count: number };

const STEPS = 5;
/** Height by width of the natural earth projection. */
const ASPECT = 0.5;

/**
 * Countries in five groups of about equal size, drawn in ink: the number of listings in a country is no verdict, so the
 * map uses none of the evidence colours.
 */
export function WorldMap({
  world,
  countries,
  label,
}: {
  world: World;
  countries: readonly CountryCount[];
  label: string;
}) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const height = Math.round(width * ASPECT);
  const bounds = useMemo(
    () =>
      quantileBounds(
        countries.map(({ count }) => count),
        STEPS,
      ),
    [countries],
  );
  const shapes = useMemo(() => {
    if (width === 0) return [];
    const projection = geoNaturalEarth1().fitExtent(
      [
        [1, 1],
        [width - 1, height - 1],
      ],
      { type: 'Sphere' },
    );
    const path = geoPath(projection).digits(1);
    const byId = new Map(countries.map((country) => [numericIdOf(country.code), country]));
    return world.countries.map((country, index) => ({
      key: `${String(country.id)}-${index}`,
      d: path(country) ?? '',
      listed: byId.get(String(country.id)),
    }));
  }, [world, countries, width, height]);
  return (
    <div>
      <div ref={frame} className={css.frame}>
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-label={label}>
            {shapes.map(({ key, d, listed }) => (
              <path
                key={key}
                d={d}
                className={css.country}
                data-step={quantileOf(listed?.count ?? 0, bounds)}
              >
                {listed !== undefined && <title>{`${listed.name}: ${exact(listed.count)}`}</title>}
              </path>
            ))}
          </svg>
        )}
      </div>
      <ul className={css.legend} aria-label="Legend">
        <li>
          <span className={css.swatch} data-step={0} /> none
        </li>
        {bounds.map((bound, index) => (
          <li key={bound}>
            <span className={css.swatch} data-step={index + 1} /> {exact(bound)}
            {index === bounds.length - 1
              ? ' or more'
              : ` to ${exact(Math.max(bound, (bounds[index + 1] ?? 0) - 1))}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
