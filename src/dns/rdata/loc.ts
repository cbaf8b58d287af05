import { plainType } from './record-type.js';
import { quoted } from '../name.js';
import type { Field } from './field.js';
import type { TokenReader } from './tokens.js';
import { RdataError } from './rdata-error.js';

/** RFC 1876 §2: angles in thousandths of an arc second, lengths in centimeters. */
export interface Location {
  readonly version: number;
  /** Diameter. Sizes and precisions have a digit in the upper four bits and a power of ten in the lower. */
  readonly size: number;
  readonly horizontalPrecision: number;
  readonly verticalPrecision: number;
  /** 2^31 is the equator. */
  readonly latitude: number;
  /** 2^31 is the prime meridian. */
  readonly longitude: number;
  /** 0 is 100 km below the ellipsoid. */
  readonly altitude: number;
}

const ORIGIN = 0x8000_0000;
const DEGREE = 3_600_000;
const ALTITUDE_ORIGIN = 10_000_000;
const MAX_ALTITUDE = 0xffff_ffff - ALTITUDE_ORIGIN;
const MAX_PRECISION = 9_000_000_000;

/** RFC 1876 §3. */
const location: Field<Location> = {
  form: 'latitude, longitude, altitude, size, precisions',
  parse: (tokens) => ({
    version: 0,
    latitude: parseAngle(tokens, 'latitude', 'N', 'S', 90),
    longitude: parseAngle(tokens, 'longitude', 'E', 'W', 180),
    altitude: parseAltitude(tokens),
    size: parsePrecision(tokens, 'size', 100),
    horizontalPrecision: parsePrecision(tokens, 'horizontal precision', 1_000_000),
    verticalPrecision: parsePrecision(tokens, 'vertical precision', 1_000),
  }),
  print(value) {
    const lengths = [
      value.altitude - ALTITUDE_ORIGIN,
      ...[value.size, value.horizontalPrecision, value.verticalPrecision].map(toCentimetres),
    ];
    return `${printAngle(value.latitude, 'N', 'S')} ${printAngle(value.longitude, 'E', 'W')} ${lengths.map(printMetres).join(' ')}`;
  },
  read: (wire) => ({
    version: wire.uint8(),
    size: wire.uint8(),
    horizontalPrecision: wire.uint8(),
    verticalPrecision: wire.uint8(),
    latitude: wire.uint32(),
    longitude: wire.uint32(),
    altitude: wire.uint32(),
  }),
  write(value, out) {
    out.uint8(value.version).uint8(value.size).uint8(value.horizontalPrecision).uint8(value.verticalPrecision);
    out.uint32(value.latitude).uint32(value.longitude).uint32(value.altitude);
  },
  check(value) {
    if (value.version !== 0) throw new RdataError(`version ${value.version} of the location is unknown: use 0`);
    assertAngle(value.latitude, 'latitude', 90);
    assertAngle(value.longitude, 'longitude', 180);
    [value.size, value.horizontalPrecision, value.verticalPrecision].forEach(assertPrecision);
  },
};

export const LOC = plainType('LOC', 29, 'RFC 1876 §2', 'example.org. 51 30 12.748 N 0 7 39.611 W 0.00m', { location });

/** Degrees, optional minutes and seconds, and the hemisphere. */
function parseAngle(tokens: TokenReader, label: string, positive: string, negative: string, most: number): number {
  const parts: string[] = [];
  let hemisphere = tokens.unquoted(label);
  while (hemisphere !== positive && hemisphere !== negative) {
    parts.push(hemisphere);
    hemisphere = tokens.unquoted(`hemisphere of the ${label}`);
  }
  const angle = /^([0-9]{1,3})(?: ([0-5]?[0-9])(?: ([0-5]?[0-9])(?:\.([0-9]{1,3}))?)?)?$/.exec(parts.join(' '));
  if (!angle) {
    throw new RdataError(
      `the ${label} ${quoted(parts.join(' '))} is malformed: write degrees, minutes and seconds like 51 30 12.748`,
    );
  }
  const [, degrees, minutes = 0, seconds = 0, thousandths = ''] = angle;
  const size =
    Number(degrees) * DEGREE + Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(thousandths.padEnd(3, '0'));
  if (size > most * DEGREE) throw new RdataError(`the ${label} is more than ${most} degrees: write a smaller one`);
  return hemisphere === positive ? ORIGIN + size : ORIGIN - size;
}

function parseAltitude(tokens: TokenReader): number {
  const centimetres = parseMetres(tokens.unquoted('altitude'), 'altitude');
  if (centimetres < -ALTITUDE_ORIGIN || centimetres > MAX_ALTITUDE)
    throw new RdataError('the altitude is out of range: write one from -100000.00m to 42849672.95m');
  return centimetres + ALTITUDE_ORIGIN;
}

/** Drops the digits after the first, as name servers do. */
function parsePrecision(tokens: TokenReader, label: string, byDefault: number): number {
  const centimetres = tokens.isAtEnd ? byDefault : parseMetres(tokens.unquoted(label), label);
  if (centimetres < 0 || centimetres > MAX_PRECISION)
    throw new RdataError(`the ${label} is out of range: write one from 0.00m to 90000000.00m`);
  const digits = String(centimetres);
  return (Number(digits.charAt(0)) << 4) | (digits.length - 1);
}

function parseMetres(text: string, label: string): number {
  const [, sign = '', metres, centimetres = ''] = /^(-?)([0-9]{1,8})(?:\.([0-9]{1,2}))?m?$/.exec(text) ?? [];
  if (metres === undefined)
    throw new RdataError(`the ${label} ${quoted(text)} is not a number of metres: write one like -12.50m`);
  const size = Number(metres) * 100 + Number(centimetres.padEnd(2, '0'));
  return sign === '-' ? -size : size;
}

function printAngle(angle: number, positive: string, negative: string): string {
  const size = Math.abs(angle - ORIGIN);
  const minutes = Math.floor((size % DEGREE) / 60_000);
  const seconds = ((size % 60_000) / 1_000).toFixed(3);
  return `${Math.floor(size / DEGREE)} ${minutes} ${seconds} ${angle < ORIGIN ? negative : positive}`;
}

function printMetres(centimetres: number): string {
  return `${(centimetres / 100).toFixed(2)}m`;
}

function toCentimetres(precision: number): number {
  return (precision >> 4) * 10 ** (precision & 0xf);
}

function assertAngle(angle: number, label: string, most: number): void {
  if (Math.abs(angle - ORIGIN) > most * DEGREE)
    throw new RdataError(`the ${label} is more than ${most} degrees: write a smaller one`);
}

/** Zero has one form only, so that equal locations have equal octets. */
function assertPrecision(precision: number): void {
  const digit = precision >> 4;
  const power = precision & 0xf;
  if (digit > 9 || power > 9 || (digit === 0 && power > 0)) {
    throw new RdataError(
      'a precision of the location is malformed: give it a digit from 1 to 9 and a power of ten up to 9',
    );
  }
}
