"""What a program on openstacksdk sees of the service that the OS_* variables name: one JSON object."""
import json

import openstack
from openstack import exceptions, resource

ZONE = 'sdk.example.org.'
FIELDS = ('name', 'type', 'records', 'ttl', 'description', 'email', 'status', 'action')


def main():
    cloud = openstack.connect(load_yaml_config=False, region_name='regionOne')
    seen = {}
    zone = of_zones(cloud.dns, seen)
    of_record_sets(cloud.dns, zone, seen)
    of_wildcards(cloud, zone, seen)
    of_the_cloud_layer(cloud, seen)
    of_deletion(cloud.dns, zone, seen)
    print(json.dumps(seen))


def of_zones(dns, seen):
    seen['no such zone'] = dns.find_zone(ZONE) is None
    zone = dns.create_zone(name=ZONE, email='hostmaster@example.org', ttl=600, description='of a test')
    seen['zone created'] = shown(zone)
    resource.wait_for_status(dns, zone, 'ACTIVE', ['ERROR'], interval=0.1, wait=30)
    seen['zone found by name'] = dns.find_zone(ZONE).id == zone.id
    seen['zone updated'] = shown(dns.update_zone(zone, email='admin@example.org', description=None))
    seen['zones'] = [found.name for found in dns.zones(name=ZONE)]
    return dns.get_zone(zone.id)


def of_record_sets(dns, zone, seen):
    for number in range(25):
        dns.create_recordset(zone, name=f'host{number}.{ZONE}', type='A', records=[f'192.0.2.{number}'])
    seen['record sets on several pages'] = len(list(dns.recordsets(zone, type='A', limit=10)))
    record_set = dns.create_recordset(zone, name=ZONE, type='TXT', records=['"v=spf1 -all"', '"a \\" b"'], ttl=60)
    resource.wait_for_status(dns, record_set, 'ACTIVE', ['ERROR'], interval=0.1, wait=30)
    seen['record set created'] = shown(dns.get_recordset(record_set.id, zone))
    seen['record set updated'] = shown(dns.update_recordset(record_set, records=['bare-token'], ttl=30))
    seen['record set found'] = dns.find_recordset(zone, record_set.id).id == record_set.id
    dns.delete_recordset(record_set, zone)
    seen['record set deleted'] = is_missing(lambda: dns.get_recordset(record_set.id, zone))


def of_wildcards(cloud, zone, seen):
    wildcard, plain = f'*.wild.{ZONE}', f'def.wild.{ZONE}'
    dns = cloud.dns
    made = dns.create_recordset(zone, name=plain, type='A', records=['192.0.2.1'])
    seen['no such wildcard'] = cloud.get_recordset(ZONE, wildcard) is None and not cloud.delete_recordset(ZONE, wildcard)
    seen['beside a wildcard'] = dns.get_recordset(made.id, zone).name == plain
    dns.create_recordset(zone, name=wildcard, type='A', records=['192.0.2.2'])
    seen['wildcard found'] = cloud.get_recordset(ZONE, wildcard)['name'] == wildcard
    seen['wildcard deleted'] = cloud.delete_recordset(ZONE, wildcard)
    seen['left'] = [found.name == plain for found in dns.recordsets(zone, name=f'*wild.{ZONE}')]
    dns.delete_recordset(made, zone)


def of_the_cloud_layer(cloud, seen):
    """As Ansible's modules and certbot go about it."""
    name = 'cloud.example.org.'
    zone = cloud.create_zone(name, zone_type='primary', email='hostmaster@example.org', ttl=300)
    seen['cloud: zone'] = {'name': zone['name'], 'type': zone['type']}
    cloud.create_recordset(name, f'www.{name}', 'a', ['192.0.2.2', '192.0.2.1'], ttl=120)
    found = cloud.get_recordset(name, f'www.{name}')
    seen['cloud: record set'] = {'records': sorted(found['records']), 'ttl': found['ttl'], 'type': found['type']}
    seen['cloud: deleted'] = [cloud.delete_recordset(name, found['id']), cloud.delete_zone(name)]
    seen['cloud: gone'] = cloud.get_zone(name) is None


def of_deletion(dns, zone, seen):
    seen['floating IPs'] = list(dns.floating_ips())
    dns.delete_zone(zone)
    seen['zone deleted'] = is_missing(lambda: dns.get_zone(zone.id))


def shown(thing):
    everything = thing.to_dict()
    return {field: everything[field] for field in FIELDS if everything.get(field) is not None}


def is_missing(ask):
    try:
        ask()
    except exceptions.ResourceNotFound:
        return True
    return False


main()
