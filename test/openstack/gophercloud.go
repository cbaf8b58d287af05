// What a program on gophercloud sees of the service that the OS_* variables name: one JSON object. It goes about its work
// as Terraform's provider, external-dns and lego do.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/gophercloud/gophercloud"
	"github.com/gophercloud/gophercloud/openstack"
	"github.com/gophercloud/gophercloud/openstack/dns/v2/recordsets"
	"github.com/gophercloud/gophercloud/openstack/dns/v2/zones"
)

const zoneName = "gophercloud.example.org."

type observations map[string]interface{}

func main() {
	client := logIn()
	seen := observations{}
	zone := createZone(client, seen)
	createRecordSets(client, zone, seen)
	changeRecordSet(client, zone, seen)
	asLego(client, seen)
	ofWildcards(client, zone, seen)
	deleteZone(client, zone, seen)
	must(json.NewEncoder(os.Stdout).Encode(seen))
}

func logIn() *gophercloud.ServiceClient {
	options, err := openstack.AuthOptionsFromEnv()
	must(err)
	provider, err := openstack.AuthenticatedClient(options)
	must(err)
	client, err := openstack.NewDNSV2(provider, gophercloud.EndpointOpts{Region: os.Getenv("OS_REGION_NAME")})
	must(err)
	return client
}

func createZone(client *gophercloud.ServiceClient, seen observations) *zones.Zone {
	options := zones.CreateOpts{Name: zoneName, Email: "hostmaster@example.org", TTL: 600, Description: "of a test"}
	zone, err := zones.Create(client, options).Extract()
	must(err)
	seen["zone created"] = observations{"status": zone.Status, "ttl": zone.TTL, "has its time": !zone.CreatedAt.IsZero()}
	waitFor("ACTIVE", func() string {
		found, err := zones.Get(client, zone.ID).Extract()
		must(err)
		return found.Status
	})
	description := ""
	updated, err := zones.Update(client, zone.ID, zones.UpdateOpts{TTL: 1200, Description: &description}).Extract()
	must(err)
	seen["zone updated"] = observations{"ttl": updated.TTL, "description": updated.Description, "action": updated.Action}
	return zone
}

func createRecordSets(client *gophercloud.ServiceClient, zone *zones.Zone, seen observations) {
	for number := 0; number < 25; number++ {
		name := fmt.Sprintf("host%d.%s", number, zoneName)
		options := recordsets.CreateOpts{Name: name, Type: "A", Records: []string{fmt.Sprintf("192.0.2.%d", number)}}
		must(recordsets.Create(client, zone.ID, options).Err)
	}
	pages, err := recordsets.ListByZone(client, zone.ID, recordsets.ListOpts{Type: "A", Limit: 10}).AllPages()
	must(err)
	found, err := recordsets.ExtractRecordSets(pages)
	must(err)
	seen["record sets on several pages"] = len(found)
}

func changeRecordSet(client *gophercloud.ServiceClient, zone *zones.Zone, seen observations) {
	records := []string{"10 a.example.org.", "20 b.example.org."}
	options := recordsets.CreateOpts{Name: zoneName, Type: "MX", TTL: 60, Records: records}
	made, err := recordsets.Create(client, zone.ID, options).Extract()
	must(err)
	seen["record set created"] = observations{"records": len(made.Records), "ttl": made.TTL, "status": made.Status}
	ttl := 0
	change := recordsets.UpdateOpts{TTL: &ttl, Records: []string{"30 c.example.org."}}
	updated, err := recordsets.Update(client, zone.ID, made.ID, change).Extract()
	must(err)
	seen["record set updated"] = observations{"records": updated.Records, "ttl": updated.TTL}
	must(recordsets.Delete(client, zone.ID, made.ID).ExtractErr())
	waitFor("404", func() string {
		_, err := recordsets.Get(client, zone.ID, made.ID).Extract()
		if _, isMissing := err.(gophercloud.ErrDefault404); isMissing {
			return "404"
		}
		return "there"
	})
	seen["record set deleted"] = true
}

// A challenge of ACME: the zone by its name, a TXT record set, a second value, and away.
func asLego(client *gophercloud.ServiceClient, seen observations) {
	pages, err := zones.List(client, zones.ListOpts{Name: zoneName}).AllPages()
	must(err)
	found, err := zones.ExtractZones(pages)
	must(err)
	name := "_acme-challenge." + zoneName
	options := recordsets.CreateOpts{Name: name, Type: "TXT", TTL: 10, Records: []string{"first-token"}}
	must(recordsets.Create(client, found[0].ID, options).Err)
	listed, err := recordsets.ListByZone(client, found[0].ID, recordsets.ListOpts{Name: name, Type: "TXT"}).AllPages()
	must(err)
	sets, err := recordsets.ExtractRecordSets(listed)
	must(err)
	ttl := sets[0].TTL
	both := append(sets[0].Records, "second-token")
	updated, err := recordsets.Update(client, found[0].ID, sets[0].ID, recordsets.UpdateOpts{TTL: &ttl, Records: both}).Extract()
	must(err)
	must(recordsets.Delete(client, found[0].ID, sets[0].ID).ExtractErr())
	seen["challenge"] = observations{"zones": len(found), "sets": len(sets), "ttl": ttl, "records": updated.Records}
}

// As Terraform's data source and Gardener find a record set: by its name, and the first that is found.
func ofWildcards(client *gophercloud.ServiceClient, zone *zones.Zone, seen observations) {
	find := func(name string) []string {
		pages, err := recordsets.ListByZone(client, zone.ID, recordsets.ListOpts{Name: name}).AllPages()
		must(err)
		sets, err := recordsets.ExtractRecordSets(pages)
		must(err)
		names := []string{}
		for _, set := range sets {
			names = append(names, set.Name)
		}
		return names
	}
	create := func(name string) *recordsets.RecordSet {
		options := recordsets.CreateOpts{Name: name, Type: "A", Records: []string{"192.0.2.1"}}
		made, err := recordsets.Create(client, zone.ID, options).Extract()
		must(err)
		return made
	}
	plain := create("def.wild." + zoneName)
	before := find("*.wild." + zoneName)
	wildcard := create("*.wild." + zoneName)
	seen["wildcard"] = observations{"before": before, "found": find("*.wild." + zoneName), "like": len(find("*wild." + zoneName))}
	for _, set := range []*recordsets.RecordSet{plain, wildcard} {
		must(recordsets.Delete(client, zone.ID, set.ID).ExtractErr())
	}
}

func deleteZone(client *gophercloud.ServiceClient, zone *zones.Zone, seen observations) {
	deleted, err := zones.Delete(client, zone.ID).Extract()
	must(err)
	seen["zone deleted"] = observations{"status": deleted.Status, "action": deleted.Action}
	waitFor("404", func() string {
		_, err := zones.Get(client, zone.ID).Extract()
		if _, isMissing := err.(gophercloud.ErrDefault404); isMissing {
			return "404"
		}
		return "there"
	})
}

func waitFor(wanted string, ask func() string) {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if ask() == wanted {
			return
		}
	}
	log.Fatalf("it is not %s after 30 seconds but %s", wanted, ask())
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
