//! What a drawing shows of a model beyond po, rf, mo and fr.

use fencepost_graph::{EventId, Graph, Relation, Relations};

use crate::{Model, psc, pso, tso};

impl Model {
    /// The model's own relations, without what follows from them: `sw` and, if it has one, `psc` between threads, or the
    /// program order `ppo` that a processor keeps.
    pub fn own_relations(self, graph: &Graph) -> Vec<(EventId, &'static str, EventId)> {
        let relations = &Relations::of(graph);
        let thread = |event: EventId| graph.event(event).thread;
        let between_threads =
            |a: EventId, b: EventId| thread(a).is_some() && thread(b).is_some() && thread(a) != thread(b);
        let mut edges = Vec::new();
        match self {
            Model::Sc => {}
            Model::Tso => edges.extend(named("ppo", &immediate(&tso::kept(relations)))),
            Model::Pso => edges.extend(named("ppo", &immediate(&pso::kept(relations)))),
            _ => {
                let hb = self.hb(relations);
                edges.extend(named("sw", &immediate(&hb).filter(between_threads)));
                if matches!(self, Model::Rc11 | Model::Rc11With2017ReleaseSequences) {
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
