import { isMap, isScalar, type Node } from 'yaml';
import { DomainName, NameError } from '../../../dns/name.js';
import { toALabels } from '../../../dns/labels.js';
import { type Place, SourceError, type SourceText } from '../sources/source-text.js';
import { itemsOf, mappingOf, type Member, parseYaml, type YamlText } from '../sources/yaml-text.js';
import { quotedText, stringsOf } from './octodns-texts.js';
import {
  OCTODNS_TYPES,
  type OctodnsField,
  octodnsType,
  type OctodnsType,
  SERVICE_PARAMETERS,
} from './octodns-types.js';

/** The parser takes about 100 octets of memory for one of text. */
export const MAX_YAML_OCTETS = 4_194_304;
const MAX_ERRORS = 100;

interface Line {
  readonly text: string;
  readonly hasTtl: boolean;
  readonly place: Place;
}

/**
 * Turns YAML in octoDNS's schema into a master file, so that an import applies all of its rules (behaviour 17.10).
 * @throws AggregateError of SourceErrors
 */
export function masterFileOfYaml(octets: string, file: string, zone: string): SourceText {
  const yaml = parseYaml(octets, file);
  const reader = new OctodnsReader(yaml, DomainName.parse(zone));
  const lines = reader.lines();
  // A master file gives a record without a TTL that of the record before it.
  const ordered = [...lines.filter(({ hasTtl }) => !hasTtl), ...lines.filter(({ hasTtl }) => hasTtl)];
  const text = ordered.map((line) => `${line.text}\n`).join('');
  return { text, placeOf: (line) => ordered[line - 1]?.place ?? { file, line: 1 } };
}

class OctodnsReader {
  private readonly errors: Error[] = [];

  constructor(
    private readonly yaml: YamlText,
    private readonly zone: DomainName,
  ) {}

  lines(): Line[] {
    const lines: Line[] = [];
    for (const member of mappingOf(this.yaml, this.yaml.root, 'the zone')) {
      const seen = new Set<string>();
      for (const node of itemsOf(this.yaml, member.value)) {
        this.collecting(() => {
          for (const line of this.recordSet(member, node, seen)) lines.push(line);
        });
        if (this.errors.length >= MAX_ERRORS) throw new AggregateError(this.errors);
      }
    }
    if (this.errors.length > 0) throw new AggregateError(this.errors);
    return lines;
  }

  private collecting(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      this.errors.push(error);
    }
  }

  private recordSet({ key, keyPlace }: Member, node: Node | null, seen: Set<string>): Line[] {
    const owner = this.owner(key, keyPlace);
    const members = new Map(mappingOf(this.yaml, node, 'a record').map((member) => [member.key, member]));
    const place = this.yaml.placeOf(node);
    for (const [field, member] of members) this.assertKnown(field, member);
    const named = members.get('type');
    if (named === undefined) throw new SourceError(place, 'a record needs a type');
    const type = this.scalar(named, 'type');
    const known = octodnsType(type);
    if (known === undefined) throw new SourceError(named.valuePlace, unknownType(type));
    if (seen.has(type))
      throw new SourceError(named.valuePlace, `${type} stands here twice at one name: join the values`);
    seen.add(type);
    const ttl = members.get('ttl');
    const head = `${owner} ${ttl === undefined ? '' : `${this.number(ttl, 'ttl')} `}IN ${type} `;
    return this.values(known, members, place).map((value) => {
      const text = head + this.rdata(known, value);
      return { text, hasTtl: ttl !== undefined, place: value.valuePlace };
    });
  }

  private owner(key: string, place: Place): string {
    if (key === '') return this.zone.toString();
    if (key === '@') throw new SourceError(place, `'@' is not the name of the zone here: write ''`);
    return this.name(key.endsWith('.') ? key.slice(0, -1) || '.' : key, place, this.zone);
  }

  private assertKnown(key: string, member: Member): void {
    if (['type', 'ttl', 'value', 'values'].includes(key)) return;
    if (key === 'octodns' && mappingOf(this.yaml, member.value, key).every((inner) => inner.key === 'lenient')) return;
    const reason =
      key === 'octodns'
        ? 'only octodns.lenient is read: take the record out of this file'
        : `${JSON.stringify(key)} is not supported: a record has type, ttl, value and values`;
    throw new SourceError(member.keyPlace, reason);
  }

  private values({ isSingle }: OctodnsType, members: ReadonlyMap<string, Member>, place: Place): Member[] {
    const [one, more] = [members.get('value'), members.get('values')];
    if (one !== undefined && more !== undefined)
      throw new SourceError(more.keyPlace, 'write value or values, not both');
    const given = one ?? more;
    if (given === undefined) throw new SourceError(place, 'a record needs a value');
    if (isSingle === true && more !== undefined)
      throw new SourceError(more.keyPlace, 'this type has one value: write value');
    const items = itemsOf(this.yaml, given.value);
    if (items.length === 0) throw new SourceError(given.keyPlace, 'a record needs a value');
    if (isSingle === true && items.length > 1) throw new SourceError(given.valuePlace, 'this type has one value');
    return items.map((value) => ({
      ...given,
      value,
      valuePlace: value === null ? given.keyPlace : this.yaml.placeOf(value),
    }));
  }

  private rdata({ form }: OctodnsType, value: Member): string {
    if (form === 'word') return this.word(value);
    if (form === 'name') return this.absolute(value);
    if (form === 'strings') return stringsOf(this.scalar(value, value.key), value.valuePlace);
    const fields = new Map(mappingOf(this.yaml, value.value, 'the value').map((member) => [member.key, member]));
    if (form === 'service') return this.service(fields, value);
    const texts = form.map((field) => this.field(field, fields, value.valuePlace));
    const [unread] = [...fields.values()].filter(
      ({ key }) => !form.some((field) => field.key === key || field.alias === key),
    );
    if (unread !== undefined)
      throw new SourceError(unread.keyPlace, `${JSON.stringify(unread.key)} is no field of this type`);
    return texts.join(' ');
  }

  private field(field: OctodnsField, fields: ReadonlyMap<string, Member>, place: Place): string {
    const member = fields.get(field.key) ?? (field.alias === undefined ? undefined : fields.get(field.alias));
    if (member === undefined) {
      if (field.default !== undefined) return field.default;
      throw new SourceError(place, `the field ${field.key} is missing`);
    }
    switch (field.kind) {
      case 'number':
        return this.number(member, field.key);
      case 'metres':
        return `${this.number(member, field.key)}m`;
      case 'name':
        return this.absolute(member);
      case 'word':
        return this.word(member);
      case 'text':
        return quotedText(this.scalar(member, field.key));
    }
  }

  private service(fields: ReadonlyMap<string, Member>, { valuePlace }: Member): string {
    const head = [
      this.field({ key: 'svcpriority', kind: 'number' }, fields, valuePlace),
      this.field({ key: 'targetname', kind: 'name' }, fields, valuePlace),
    ];
    for (const { key, keyPlace } of fields.values())
      if (!['svcpriority', 'targetname', 'svcparams'].includes(key))
        throw new SourceError(keyPlace, `${JSON.stringify(key)} is no field of this type`);
    const given = fields.get('svcparams');
    const params = given === undefined || given.value === null ? [] : mappingOf(this.yaml, given.value, 'svcparams');
    return [...head, ...params.map((param) => this.parameter(param))].join(' ');
  }

  private parameter(param: Member): string {
    const { key, keyPlace, value } = param;
    if (!SERVICE_PARAMETERS.some(({ name }) => name === key) && !/^key[0-9]{1,5}$/.test(key))
      throw new SourceError(keyPlace, `${JSON.stringify(key)} is no parameter of octoDNS: write key and its number`);
    if (value === null || (isScalar(value) && value.type === 'PLAIN' && /^(|~|null)$/i.test(String(value.value))))
      return key;
    const texts = itemsOf(this.yaml, value).map((item) => this.scalar({ ...param, value: item }, key));
    return `${key}=${quotedText(texts.join(','))}`;
  }

  private scalar({ value, valuePlace }: Member, what: string): string {
    if (isScalar(value)) return String(value.value);
    throw new SourceError(valuePlace, `${what} is a text, not a ${isMap(value) ? 'mapping' : 'list'}`);
  }

  private number(member: Member, what: string): string {
    const text = this.scalar(member, what);
    if (/^-?[0-9]{1,10}(\.[0-9]{1,10})?$/.test(text)) return withoutZeros(text);
    throw new SourceError(member.valuePlace, `${what}: ${JSON.stringify(text.slice(0, 80))} is not a number`);
  }

  private word(member: Member): string {
    const text = this.scalar(member, member.key);
    if (/^[!#-'*-:<-[\]-~]{1,262144}$/.test(text)) return text;
    throw new SourceError(
      member.valuePlace,
      `${member.key}: write one word of printable ASCII without quotes and blanks`,
    );
  }

  private absolute(member: Member): string {
    const text = this.scalar(member, member.key);
    if (text.endsWith('.')) return this.name(text, member.valuePlace);
    throw new SourceError(
      member.valuePlace,
      `${JSON.stringify(text.slice(0, 80))} lacks the final dot: write the whole name`,
    );
  }

  private name(text: string, place: Place, origin?: DomainName): string {
    try {
      const isInternational = text.length <= 1024 && /[^\0-\x7f]/.test(text);
      const ascii = isInternational ? (toALabels(text) ?? text) : text;
      return DomainName.parse(ascii, origin).toString();
    } catch (error) {
      throw error instanceof NameError ? new SourceError(place, error.message) : error;
    }
  }
}

function unknownType(type: string): string {
  if (type === 'SOA') return 'the service makes the SOA record: leave it out';
  const shown = JSON.stringify(type.slice(0, 40));
  return `the type ${shown} is not supported in YAML (${OCTODNS_TYPES.join(', ')}): keep this zone as a zone file, NAME.zone`;
}

/** `12.0`, as octoDNS writes it, is 12. */
function withoutZeros(number: string): string {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}
