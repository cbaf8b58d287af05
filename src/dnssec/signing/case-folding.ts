import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { isCaseFolded } from '../../dns/dnssec/canonical-rdata.js';
import { RecordRepository } from '../../records/record.repository.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { digestOf } from '../state/signed-set-form.js';
import { type SignedDigest, SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { PresentSets } from './present-sets.js';

/** How the targets of SVCB and HTTPS are spelled in what is signed: releases before this one signed them as users wrote them. */
@Injectable()
export class CaseFolding {
  constructor(
    private readonly sets: SignedSetRepository,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly served: ServedZone,
    private readonly options: DnssecOptions,
  ) {}

  /** Whether they are in lower case; not where a set has been changed since, so that it cannot be told any more. */
  async isFolded(tx: Transaction, zone: ZoneEntity, row: ZoneSigningEntity): Promise<boolean> {
    if (row.foldedStep === row.step) return true;
    const present = new PresentSets(tx, zone, [], this.options.maxTtl, {
      records: this.records,
      sets: this.recordSets,
      served: this.served,
    });
    for await (const page of this.sets.digests(tx, row))
      if (!(await areOf(page.filter(isCaseFolded), present))) return false;
    return true;
  }
}

/** Whether those are what was signed. */
async function areOf(signed: readonly SignedDigest[], present: PresentSets): Promise<boolean> {
  if (signed.length === 0) return true;
  const names = await present.setsAt([...new Set(signed.map(({ ownerKey }) => ownerKey))]);
  return signed.every(({ ownerKey, type, digest }) => {
    const set = names.get(ownerKey)?.find((one) => one.type === type);
    return set !== undefined && digestOf(set) === digest;
  });
}
