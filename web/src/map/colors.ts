// Colours: of clusters (hues around the map, so that neighbours are similar), of values, and of numbers from low to high.

export type Rgb = readonly [number, number, number];
export type Theme = "light" | "dark";

/** Lightness and chroma of three shades, in OKLCH. */
const SHADES: Record<Theme, readonly (readonly [number, number])[]> = {
  light: [[0.58, 0.16], [0.67, 0.13], [0.48, 0.14]],
  dark: [[0.72, 0.14], [0.82, 0.11], [0.62, 0.15]],
};
const FIRST_HUE = 25;
export const GREY: Record<Theme, Rgb> = { light: [150, 156, 166], dark: [104, 114, 130] };

export function oklch(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos((hue * Math.PI) / 180), b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const encoded = (value: number): number => {
    const linear = Math.min(1, Math.max(0, value));
    return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
  };
  return [
    encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encoded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

export const css = ([red, green, blue]: Rgb): string => `rgb(${red} ${green} ${blue})`;

function shade(rank: number, count: number, theme: Theme): Rgb {
  const shades = SHADES[theme], [lightness, chroma] = shades[rank % shades.length] as readonly [number, number];
  return oklch(lightness, chroma, FIRST_HUE + (360 * rank) / Math.max(count, 1));
}

/** A colour for each cluster: hues evenly around the circle, in the order of the angles of their middles. */
export function colorsAround(middles: readonly { x: number; y: number }[], theme: Theme): Rgb[] {
  const mean = (values: number[]): number => values.reduce((sum, each) => sum + each, 0) / Math.max(values.length, 1);
  const x = mean(middles.map((each) => each.x)), y = mean(middles.map((each) => each.y));
  const angle = (i: number): number => { const each = middles[i]; return each ? Math.atan2(each.y - y, each.x - x) : 0; };
  const order = middles.map((_, i) => i).sort((a, b) => angle(a) - angle(b) || a - b);
  const found: Rgb[] = new Array<Rgb>(middles.length);
  order.forEach((cluster, rank) => { found[cluster] = shade(rank, middles.length, theme); });
  return found;
}

/** Colours of values that have no order: far apart on the circle from one to the next. */
export function colorsOfValues(count: number, theme: Theme): Rgb[] {
  const step = count > 2 ? Math.max(1, Math.round(count * 0.382)) : 1;
  const stride = [step, step + 1, step - 1, step + 2].find((each) => each > 0 && gcd(each, count) === 1) ?? 1;
  return Array.from({ length: count }, (_, i) => shade((i * stride) % count, count, theme));
}

const gcd = (a: number, b: number): number => (b ? gcd(b, a % b) : a);

/** From low to high: dark blue over green to yellow, lightness always rising (falling on a dark ground it still reads from dim to bright). */
export function ramp(share: number, theme: Theme): Rgb {
  const t = Math.min(1, Math.max(0, share));
  const low = theme === "light" ? 0.42 : 0.46, high = theme === "light" ? 0.8 : 0.92;
  return oklch(low + (high - low) * t, 0.12 + 0.04 * Math.sin(Math.PI * t), 275 - 185 * t);
}
