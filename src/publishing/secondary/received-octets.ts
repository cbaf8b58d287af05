import { TransferError } from './transfer-error.js';

const MIB = 2 ** 20;
/** What zones may take on the disk while they are received and stored: those of one tenant, and all of one process. */
const OF_TENANT = 128 * MIB;
const IN_ALL = 256 * MIB;

/** What one zone takes, until it is released. */
export interface Weight {
  /** @throws TransferError where that is more than there is room for */
  add(octets: number): void;
  release(): void;
}

/** Bounds the octets of zones that masters send, so that those of one tenant leave room for the others'. */
export class ReceivedOctets {
  private readonly ofTenants = new Map<string, number>();
  private inAll = 0;

  /** @param ofZone how many octets a zone may have */
  constructor(private readonly ofZone: number) {}

  begin(tenantId: string): Weight {
    let own = 0;
    return {
      add: (octets) => {
        if (own + octets > this.ofZone) throw new TransferError(`the zone has more than ${this.ofZone} octets`, true);
        this.assertRoom(tenantId, octets);
        own += octets;
        this.change(tenantId, octets);
      },
      release: () => {
        this.change(tenantId, -own);
        own = 0;
      },
    };
  }

  /** The largest zone alone has room however large it may be. */
  private assertRoom(tenantId: string, octets: number): void {
    const isOfTenant = (this.ofTenants.get(tenantId) ?? 0) + octets > Math.max(OF_TENANT, this.ofZone);
    if (isOfTenant || this.inAll + octets > Math.max(IN_ALL, 2 * this.ofZone))
      throw new TransferError('many large zones are received at the moment; this one will be asked for again', false);
  }

  private change(tenantId: string, by: number): void {
    const octets = (this.ofTenants.get(tenantId) ?? 0) + by;
    if (octets > 0) this.ofTenants.set(tenantId, octets);
    else this.ofTenants.delete(tenantId);
    this.inAll += by;
  }
}
