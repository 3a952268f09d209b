//! What a drawing shows of a model beyond po, rf, mo and fr.

use fencepost_graph::{EventId, Graph, Relation, Relations};

use crate::{Axioms, Beyond, Model, processor, psc};

impl Model {
    /// The model's own relations, without what follows from them: `sw` and, if it has one, `psc` between threads, or
    /// the program order `ppo` that a processor keeps.
    pub fn own_relations(self, graph: &Graph) -> Vec<(EventId, &'static str, EventId)> {
        let relations = &Relations::of(graph);
        let thread = |event: EventId| graph.event(event).thread;
        let between_threads =
            |a: EventId, b: EventId| thread(a).is_some() && thread(b).is_some() && thread(a) != thread(b);
        let mut edges = Vec::new();
        match self.descriptor().axioms {
            Axioms::Interleaving => {}
            Axioms::GlobalOrder(ppo) => edges.extend(named("ppo", &immediate(&processor::kept(relations, ppo)))),
            Axioms::Coherence(hb, beyond) => {
                let hb = hb.closure(relations);
                edges.extend(named("sw", &immediate(&hb).filter(between_threads)));
                if beyond == Beyond::PartialScOrder {
                    let psc = immediate(&psc(relations, &hb).closure());
                    edges.extend(named("psc", &psc.filter(between_threads)));
                }
            }
        }
        edges
    }
}

fn named<'r>(
    name: &'static str,
    relation: &'r Relation,
) -> impl Iterator<Item = (EventId, &'static str, EventId)> + 'r {
    relation.pairs().map(move |(a, b)| (a, name, b))
}

/// A transitive relation without the pairs that follow from others.
fn immediate(relation: &Relation) -> Relation {
    let implied = relation.then(relation);
    relation.filter(|a, b| !implied.contains(a, b))
}
